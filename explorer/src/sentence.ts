/** What went wrong, in a sentence for whoever reads the page. */
export class Sentence extends Error {}

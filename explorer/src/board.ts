// A board: eight rows of squares, each with a name that is spoken.

const FIGURES: Record<string, string> = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
/** Asks for the figure as text, not as a picture. */
const AS_TEXT = "\uFE0E";

export interface Marks {
  /** The squares of the last move. */
  last: string[];
  taken: string | null;
}

function spoken(symbol: string): string {
  const name = NAMES[symbol.toLowerCase()];
  if (name !== undefined) return `${symbol < "a" ? "white" : "black"} ${name}`;
  return symbol === "*" ? "dark" : symbol === "?" ? "something stands there" : "empty";
}

/** Draws ranks 8 to 1, as `rules` writes them; Black looks at it from the other side. */
export function draw(at: HTMLElement, line: string, label: string, isBlack: boolean, marks: Marks): void {
  const ranks = line.split("/");
  const order = isBlack ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
  at.setAttribute("role", "table");
  at.setAttribute("aria-label", label);
  at.replaceChildren(
    ...order.map((row, below) => {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      line.append(...order.map((file, along) => square(ranks[row]?.[file] ?? "*", file, 7 - row, marks, along === 0, below === 7)));
      return line;
    }),
  );
}

function square(symbol: string, file: number, rank: number, marks: Marks, isLeft: boolean, isLowest: boolean): HTMLElement {
  const name = `${"abcdefgh"[file]}${rank + 1}`;
  const figure = FIGURES[symbol.toLowerCase()];
  const cell = document.createElement("div");
  cell.setAttribute("role", "cell");
  cell.setAttribute("aria-label", `${name}, ${spoken(symbol)}${marks.taken === name ? ", captured here" : ""}`);
  cell.title = `${name}, ${spoken(symbol)}`;
  cell.className = "square";
  cell.classList.toggle("dark", (file + rank) % 2 === 0);
  cell.classList.toggle("fog", symbol === "*");
  cell.classList.toggle("white", figure !== undefined && symbol < "a");
  cell.classList.toggle("last", marks.last.includes(name));
  cell.classList.toggle("taken", marks.taken === name);
  cell.textContent = figure === undefined ? (symbol === "?" ? "?" : "") : figure + AS_TEXT;
  // Beside the board, where no man stands.
  for (const [is, side, text] of [[isLowest, "file", name[0]!], [isLeft, "rank", name[1]!]] as const) {
    if (!is) continue;
    const small = document.createElement("small");
    small.textContent = text;
    small.className = side;
    small.setAttribute("aria-hidden", "true");
    cell.append(small);
  }
  return cell;
}

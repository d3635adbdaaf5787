#!/usr/bin/env node
// Renders docs/src, laid out as mdBook wants it, to docs/book, and checks every link of the documents and of the README:
// files, headings, and names. A link to a source file whose text is code, such as [`walk`](../../circuits/src/statement/turn/view.rs),
// claims that the file defines that name; if it doesn't, the link is broken. Nothing is fetched: addresses on the web aren't checked.
"use strict";

const fs = require("fs");
const path = require("path");
const { Marked } = require("marked");

const ROOT = path.dirname(__dirname);
const SOURCE = path.join(__dirname, "src");
const BOOK = path.join(__dirname, "book");
const BESIDE = ["README.md", "CHANGELOG.md"].map((name) => path.join(ROOT, name));

/// The id that mdBook and GitHub give a heading.
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replace(/ /g, "-");

/// Gives every heading of a document an id of its own.
function namer() {
  const seen = new Map();
  return (text) => {
    const id = slug(text);
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times ? `${id}-${times}` : id;
  };
}

/// The plain text of inline tokens.
const plain = (tokens) => tokens.map((token) => (token.tokens ? plain(token.tokens) : token.text ?? token.raw)).join("");

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/// Reads a document: its HTML, its headings' ids and its links.
function read(file) {
  const document = { file, ids: new Set(), links: [], pictures: [] };
  const name = namer();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const id = name(plain(tokens));
        document.ids.add(id);
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const code = tokens.length === 1 && tokens[0].type === "codespan" ? tokens[0].text : null;
        document.links.push({ href, code });
        const target = /^[a-z]+:/.test(href) ? href : href.replace(/\.md(?=#|$)/, ".html");
        return `<a href="${escape(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
      // A picture lies beside its document and is copied with it.
      image({ href, text }) {
        document.links.push({ href, code: null });
        document.pictures.push(href);
        return `<img src="${escape(href)}" alt="${escape(text)}">`;
      },
    },
  });
  document.html = marked.parse(fs.readFileSync(file, "utf8"));
  return document;
}

/// What is wrong with a link, if anything is.
function fault(document, { href, code }, documents) {
  if (/^(https?|mailto):/.test(href)) return null;
  const [target, anchor] = href.split("#");
  const file = target ? path.resolve(path.dirname(document.file), target) : document.file;
  if (!fs.existsSync(file)) return "no such file";
  if (fs.statSync(file).isDirectory()) return anchor ? "a folder has no headings" : null;
  if (file.endsWith(".md")) {
    const other = documents.find((d) => d.file === file) ?? read(file);
    return anchor && !other.ids.has(anchor) ? "no such heading" : null;
  }
  if (anchor) return "only documents have headings";
  const isPath = code && [path.basename(file), path.parse(file).name].includes(path.basename(code));
  return code && !isPath && !defines(fs.readFileSync(file, "utf8"), last(code)) ? `the file doesn't define \`${last(code)}\`` : null;
}

/// `Type::name`, `name()` → what the file must define.
const last = (code) => code.replace(/\(\)$/, "").split("::").pop();

/// Whether a Rust or Solidity source defines a name, as an item, a field or a variant.
function defines(source, name) {
  const items = "fn|struct|enum|trait|type|const|static|function|contract|library|interface|error|event|constant|immutable|constructor";
  const item = new RegExp(`\\b(${items})\\s+${name}\\b`);
  const member = new RegExp(`^\\s*(pub(\\([a-z]+\\))?\\s+)?${name}\\s*([:,({]|$)`, "m");
  return item.test(source) || member.test(source);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfcf9; --soft: #efece4; --link: #21568c; }
@media (prefers-color-scheme: dark) { :root { --ink: #dcdcd6; --paper: #191b1e; --soft: #25282c; --link: #8ab8e6; } }
body { margin: 0; display: flex; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { flex: 0 0 12rem; padding: 1.5rem; background: var(--soft); min-height: 100vh; box-sizing: border-box; }
nav ul { list-style: none; padding: 0; } nav [aria-current] { font-weight: 600; } nav .sub { padding-left: 1rem; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 62rem; min-width: 0; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 a, h2 a, h3 a, h4 a { color: inherit; }
code { font: 0.88em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.25em; border-radius: 3px; }
pre { background: var(--soft); padding: 0.8rem; overflow-x: auto; } pre code { padding: 0; }
img { max-width: 100%; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td code { white-space: nowrap; }
th, td { border: 1px solid var(--soft); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; } th { background: var(--soft); }
@media (max-width: 50rem) { body { display: block; } nav { min-height: 0; } main { padding: 1rem; } }
`;

function page(document, chapters) {
  const here = path.basename(document.file);
  const items = chapters
    .map(({ title, file, depth }) => {
      const current = file === here ? ' aria-current="page"' : "";
      return `<li${depth ? ' class="sub"' : ""}><a href="${file.replace(/\.md$/, ".html")}"${current}>${escape(title)}</a></li>`;
    })
    .join("\n");
  const title = chapters.find(({ file }) => file === here)?.title ?? "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Fogmate</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav><strong>Fogmate</strong><ul>
${items}
</ul></nav>
<main>
${document.html}</main>
</body>
</html>
`;
}

/// The chapters in the order of SUMMARY.md, with how deep they stand.
function summary() {
  const text = fs.readFileSync(path.join(SOURCE, "SUMMARY.md"), "utf8");
  const items = [...text.matchAll(/^( *)- \[([^\]]+)\]\(([^)]+)\)/gm)];
  return items.map(([, indent, title, file]) => ({ title, file: path.normalize(file), depth: indent.length / 2 }));
}

function main() {
  const chapters = summary();
  const faults = [];
  const sources = fs.readdirSync(SOURCE).filter((name) => name.endsWith(".md") && name !== "SUMMARY.md");
  for (const name of sources.filter((name) => !chapters.some(({ file }) => file === name))) {
    faults.push(`docs/src/${name}: SUMMARY.md doesn't list it`);
  }
  for (const { file } of chapters.filter(({ file }) => !sources.includes(file))) {
    faults.push(`docs/src/SUMMARY.md: ${file}: no such file`);
  }
  const documents = [...sources.map((name) => path.join(SOURCE, name)), ...BESIDE.filter(fs.existsSync)].map(read);
  let links = 0;
  for (const document of documents) {
    for (const link of document.links) {
      links += 1;
      const wrong = fault(document, link, documents);
      if (wrong) faults.push(`${path.relative(ROOT, document.file)}: ${link.href}: ${wrong}`);
    }
  }

  fs.rmSync(BOOK, { recursive: true, force: true });
  fs.mkdirSync(BOOK, { recursive: true });
  fs.writeFileSync(path.join(BOOK, "style.css"), STYLE.trimStart());
  for (const document of documents.filter(({ file }) => path.dirname(file) === SOURCE)) {
    const name = path.basename(document.file).replace(/\.md$/, ".html");
    fs.writeFileSync(path.join(BOOK, name), page(document, chapters));
    for (const picture of document.pictures.map((href) => path.join(SOURCE, href)).filter(fs.existsSync)) {
      fs.copyFileSync(picture, path.join(BOOK, path.basename(picture)));
    }
  }
  const first = chapters[0].file.replace(/\.md$/, ".html");
  fs.copyFileSync(path.join(BOOK, first), path.join(BOOK, "index.html"));

  for (const wrong of faults) console.error(wrong);
  console.log(`docs/book: ${documents.length} documents, ${links} links, ${faults.length} broken`);
  process.exitCode = faults.length ? 1 : 0;
}

main();

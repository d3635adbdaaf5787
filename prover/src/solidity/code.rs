//! Text of Yul: expressions that break over lines where they are long, and statements at their indentation.

use std::fmt::Write as _;

const WIDTH: usize = 118;
const INDENT: usize = 4;

/// An expression, and how many slots of the stack evaluating it takes.
#[derive(Clone, Debug)]
pub(super) struct Term {
    text: Text,
    /// Slots of the stack, its own result included.
    pub depth: usize,
}

#[derive(Clone, Debug)]
enum Text {
    Atom(String),
    Call(&'static str, Vec<Text>),
}

impl Term {
    /// A name or a number.
    pub fn atom(text: impl Into<String>) -> Self {
        Self { text: Text::Atom(text.into()), depth: 1 }
    }

    /// The word in memory at a named place.
    pub fn word(name: &str) -> Self {
        Self { text: Text::Call("mload", vec![Text::Atom(name.to_owned())]), depth: 1 }
    }

    /// A call of an instruction or a function. The last argument is evaluated first.
    pub fn call(name: &'static str, arguments: impl IntoIterator<Item = Term>) -> Self {
        let arguments: Vec<Term> = arguments.into_iter().collect();
        let depths = arguments.iter().rev().enumerate().map(|(before, argument)| before + argument.depth);
        let depth = depths.max().unwrap_or(1);
        Self { text: Text::Call(name, arguments.into_iter().map(|argument| argument.text).collect()), depth }
    }

    /// `a + b` modulo r.
    pub fn sum(a: Term, b: Term) -> Self {
        let (a, b) = shallow_first(a, b);
        Self::call("addmod", [a, b, Term::atom("r")])
    }

    /// `a · b` modulo r.
    pub fn product(a: Term, b: Term) -> Self {
        let (a, b) = shallow_first(a, b);
        Self::call("mulmod", [a, b, Term::atom("r")])
    }

    /// `−a` modulo r, where 0 gives r.
    pub fn negative(a: Term) -> Self {
        Self::call("sub", [Term::atom("r"), a])
    }
}

/// What is deep is evaluated first, while little else is on the stack: as the second of two operands.
fn shallow_first(a: Term, b: Term) -> (Term, Term) {
    if a.depth > b.depth { (b, a) } else { (a, b) }
}

impl Text {
    fn line(&self, out: &mut String) {
        match self {
            Self::Atom(text) => out.push_str(text),
            Self::Call(name, arguments) => {
                out.push_str(name);
                out.push('(');
                for (i, argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    argument.line(out);
                }
                out.push(')');
            }
        }
    }

    /// Writes it from `column` of a line that begins at `indent`; `after` characters follow on the last line.
    fn write(&self, out: &mut String, indent: usize, column: usize, after: usize) {
        let mut line = String::new();
        self.line(&mut line);
        let Self::Call(name, arguments) = self else {
            out.push_str(&line);
            return;
        };
        if column + line.chars().count() + after <= WIDTH {
            out.push_str(&line);
            return;
        }
        let inner = indent + INDENT;
        let _ = writeln!(out, "{name}(");
        for (i, argument) in arguments.iter().enumerate() {
            let _ = write!(out, "{:inner$}", "");
            argument.write(out, inner, inner, 1);
            out.push_str(if i + 1 < arguments.len() { ",\n" } else { "\n" });
        }
        let _ = write!(out, "{:indent$})", "");
    }
}

/// Statements, one under the other.
#[derive(Debug, Default)]
pub(super) struct Code {
    text: String,
    indent: usize,
}

impl Code {
    /// Code that begins at an indentation.
    pub fn at(indent: usize) -> Self {
        Self { text: String::new(), indent: indent * INDENT }
    }

    /// A line, or several.
    pub fn line(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            let indent = if line.is_empty() { 0 } else { self.indent };
            let _ = writeln!(self.text, "{:indent$}{line}", "");
        }
    }

    /// A comment, over as many lines as it takes.
    pub fn comment(&mut self, text: impl AsRef<str>) {
        let mut line = String::from("//");
        for word in text.as_ref().split_whitespace() {
            if self.indent + line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.line(std::mem::replace(&mut line, String::from("//")));
            }
            line.push(' ');
            line.push_str(word);
        }
        self.line(line);
    }

    /// A statement `TARGET := TERM`.
    pub fn assign(&mut self, target: &str, term: &Term) {
        let head = format!("{target} := ");
        let mut text = String::new();
        term.text.write(&mut text, self.indent, self.indent + head.chars().count(), 0);
        let _ = writeln!(self.text, "{:indent$}{head}{text}", "", indent = self.indent);
    }

    /// Stores a word in memory at a named place.
    pub fn store(&mut self, name: &str, term: &Term) {
        let store = Text::Call("mstore", vec![Text::Atom(name.to_owned()), term.text.clone()]);
        let mut text = String::new();
        store.write(&mut text, self.indent, self.indent, 0);
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = self.indent);
    }

    pub fn open(&mut self) {
        self.line("{");
        self.indent += INDENT;
    }

    pub fn close(&mut self) {
        self.indent -= INDENT;
        self.line("}");
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A comment after a blank line, above what it is about.
    pub fn title(&mut self, text: impl AsRef<str>) {
        self.blank();
        self.comment(text);
    }

    pub fn finish(self) -> String {
        self.text
    }
}

//! The words that carry an item, by their stems and weights.

/// Words that carry nothing.
const EMPTY: &[&str] = &[
    "the", "a", "an", "of", "to", "in", "on", "for", "and", "or", "with", "from", "by", "at", "is", "are",
    "be", "it", "this", "that", "into", "as", "we", "i", "not", "no", "then", "so", "its", "their", "our",
    "again", "also", "all", "about", "whether", "if", "when", "still", "more", "der", "die", "das", "und",
    "für", "mit", "den", "dem", "des", "ein", "eine", "einen", "zu", "im", "auf", "von", "el", "la", "los",
    "las", "de", "del", "y", "en", "para", "con", "un", "una", "le", "les", "et", "du", "pour", "avec", "o",
    "os", "e", "il", "lo", "gli", "dei", "degli", "della", "delle", "do", "da", "em", "com", "и", "в", "на",
    "с", "по", "для", "не", "из", "done", "todo", "tbd", "wip", "works", "working", "p0", "p1", "p2", "p3",
    "p4", "prio", "optional", "blocked", "deferred",
];

/// Words of work, which stand in many items; by their stems.
const COMMON: &[&str] = &[
    "fix",
    "add",
    "writ",
    "test",
    "updat",
    "mak",
    "check",
    "implement",
    "review",
    "look",
    "finish",
    "continu",
    "creat",
    "improv",
    "clean",
    "refactor",
    "document",
    "doc",
    "run",
    "verify",
    "verifi",
    "investigat",
    "support",
    "handl",
    "remov",
    "ensur",
    "get",
    "set",
    "up",
    "out",
    "ask",
    "need",
    "start",
    "complet",
    "rest",
    "first",
    "next",
    "deploy",
    "new",
    "prüf",
    "schreib",
    "mess",
    "escribir",
    "añadir",
    "corregir",
    "revisar",
    "написать",
    "проверить",
    "добавить",
    "исправить",
];

/// What says that something is given up, not needed any more, or put off; in lower case, words apart by one blank.
const DISMISSED: &[&str] = &[
    "no longer need",
    "no longer necess",
    "not needed",
    "no need",
    "won t do",
    "won t fix",
    "wont do",
    "cancelled",
    "canceled",
    "dropped",
    "abandoned",
    "obsolete",
    "superseded",
    "deferred",
    "postponed",
    "descoped",
    "out of scope",
    "parked",
    "hinfällig",
    "nicht mehr nötig",
    "entfällt",
    "verschoben",
    "zurückgestellt",
    "abandonné",
    "plus nécessaire",
    "plus besoin",
    "reporté",
    "ya no hace falta",
    "ya no es necesari",
    "cancelad",
    "aplazad",
    "descartad",
    "não é mais necess",
    "não precisa mais",
    "adiad",
    "non serve più",
    "rimandat",
    "annullat",
    "больше не нуж",
    "отмен",
    "отлож",
    "不再需要",
    "取消",
    "推迟",
    "搁置",
    "不要になった",
    "不要になりました",
    "中止",
    "延期",
    "見送",
    "취소",
    "더 이상 필요",
    "보류",
    "không cần",
    "hoãn",
    "hủy",
];

/// Ends that a word of English, German or a Romance language takes on; the longest first.
const ENDS: &[&str] = &[
    "ments", "ment", "ings", "ions", "adas", "ados", "idas", "idos", "ing", "ion", "ers", "ada", "ado",
    "ida", "ido", "ata", "ato", "ati", "ées", "er", "ed", "es", "en", "ly", "ar", "ir", "ée", "és", "é", "s",
    "e", "n",
];

/// What a word weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Weight {
    /// A word of work.
    Common,
    /// Any other one.
    Plain,
    /// A name in code, a path, a number of an issue: what does not have it is another item.
    Name,
}

#[derive(Debug, Clone, PartialEq)]
struct Word {
    stem: String,
    weight: Weight,
}

/// The words of an item or a sentence, less those that carry nothing.
#[derive(Debug, Clone)]
pub(super) struct Words {
    all: Vec<Word>,
    /// Every word as it is written, with a blank on both sides.
    folded: String,
    /// The numbers of issues that it names anywhere, in brackets, too.
    issues: Vec<String>,
}

impl Words {
    /// Of any text.
    pub(super) fn of(text: &str) -> Self {
        let mut all: Vec<Word> = Vec::new();
        for token in text.split(|c: char| {
            c.is_whitespace() || "()[]{}\"“”,;!?*~`|…<>→=+、。，；！？（）「」：".contains(c)
        }) {
            let token = token.trim_matches(|c: char| !(c.is_alphanumeric() || c == '#'));
            take(token, &mut all);
        }
        Self { all, folded: folded(text), issues: Vec::new() }
    }

    /// Of an item: what it says in brackets behind its words, who does it and how far it is, is not the item.
    pub(super) fn of_item(text: &str) -> Self {
        let bare = text.split(" (").next().filter(|bare| !Self::of(bare).is_empty()).unwrap_or(text);
        let (words, whole) = (Self::of(bare), Self::of(text));
        let numbers = whole.all.iter().filter(|word| word.stem.starts_with('#'));
        let issues = numbers.map(|word| word.stem.clone()).collect();
        Self { issues, ..if words.is_empty() { whole } else { words } }
    }

    /// Whether nothing in it carries anything.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many words carry it.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether one word carries it all.
    pub(super) fn is_single(&self) -> bool {
        self.all.len() == 1
    }

    /// What all of it weighs.
    pub(super) fn weight(&self) -> f32 {
        self.all.iter().map(Word::weight).sum()
    }

    /// Whether another text has it word by word; a single word is only the same where hardly anything else is said.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        (!self.is_single() || other.len() <= 4) && other.folded.contains(&self.folded)
    }

    /// Whether it says that something is given up or put off.
    pub(super) fn dismiss(&self) -> bool {
        DISMISSED.iter().any(|phrase| self.folded.contains(phrase))
    }

    /// Whether another text has the numbers of its issues and all its other names, or hardly more than the numbers:
    /// that is the same item in any words and any language.
    pub(super) fn is_named_in(&self, other: &Self) -> bool {
        let has = |stem: &str| other.all.iter().any(|word| word.stem == stem);
        if self.issues.is_empty() || !self.issues.iter().all(|issue| has(issue)) {
            return false;
        }
        let names =
            || self.all.iter().filter(|word| word.weight == Weight::Name && !word.stem.starts_with('#'));
        let is_like = |name: &Word| other.all.iter().any(|word| word.is_like(name));
        other.len() <= self.issues.len() + 1 || names().next().is_some() && names().all(is_like)
    }

    /// How much of it another text has, from 0 to 1; nothing where it lacks a name.
    pub(super) fn share_in(&self, other: &Self) -> f32 {
        self.share_in_all(&[other])
    }

    /// The same of several texts together.
    pub(super) fn share_in_all(&self, others: &[&Self]) -> f32 {
        let has = |word: &&Word| others.iter().any(|other| other.all.iter().any(|one| one.is_like(word)));
        if self.all.iter().filter(|word| word.weight == Weight::Name).any(|word| !has(&word)) {
            return 0.0;
        }
        let held: f32 = self.all.iter().filter(has).map(Word::weight).sum();
        held / self.weight().max(f32::MIN_POSITIVE)
    }

    /// Whether another text is the same but for one word that carries it: the next one of a list of alike items.
    pub(super) fn is_sibling_of(&self, other: &Self) -> bool {
        let lacks = |of: &Self, in_: &Self| {
            let plain = of.all.iter().filter(|word| word.weight != Weight::Common);
            plain.filter(|word| !in_.all.iter().any(|one| one.is_like(word))).count()
        };
        self.len() == other.len() && lacks(self, other) == 1 && lacks(other, self) == 1
    }
}

impl Word {
    fn weight(&self) -> f32 {
        match self.weight {
            Weight::Common => 0.5,
            Weight::Plain => 1.0,
            Weight::Name => 2.0,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        if self.stem == other.stem {
            return true;
        }
        if self.weight == Weight::Name || other.weight == Weight::Name {
            let ends =
                |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
            return ends(&self.stem, &other.stem) || ends(&other.stem, &self.stem);
        }
        let participle =
            |a: &str, b: &str| b.len() >= 4 && a.strip_prefix("ge").is_some_and(|rest| rest.starts_with(b));
        if participle(&self.stem, &other.stem) || participle(&other.stem, &self.stem) {
            return true;
        }
        // Words of other alphabets bend in ways that are not told here: what begins alike is alike.
        let letters = |word: &Self| word.stem.chars().count();
        let same = || self.stem.chars().zip(other.stem.chars()).take_while(|(a, b)| a == b).count();
        !self.stem.is_ascii()
            && matches!(same(), same if same >= 4 && same + 2 >= letters(self).min(letters(other)))
    }
}

/// Takes in the words of a token: a name as it is, writing without blanks by pairs of letters, anything else by stems.
fn take(token: &str, all: &mut Vec<Word>) {
    let lower = token.to_lowercase();
    let inner = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_name = lower.starts_with('#') && is_number
        || inner.contains(['/', '_'])
        || inner.contains('.') && !is_number && inner.len() > 3
        || inner.len() >= 7
            && inner.bytes().all(|b| b.is_ascii_hexdigit())
            && inner.bytes().any(|b| b.is_ascii_digit());
    if is_name {
        let stem = if lower.starts_with('#') { lower } else { inner.trim_end_matches('/').to_owned() };
        push(all, stem, Weight::Name);
        return;
    }
    for word in inner.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.chars().any(is_unspaced) {
            let letters: Vec<char> = word.chars().collect();
            if letters.len() == 1 {
                push(all, word.to_owned(), Weight::Plain);
            }
            for pair in letters.windows(2) {
                push(all, pair.iter().collect(), Weight::Plain);
            }
        } else if !EMPTY.contains(&word) {
            let stem = stem(word);
            let weight = if COMMON.contains(&stem.as_str()) || COMMON.contains(&word) {
                Weight::Common
            } else {
                Weight::Plain
            };
            push(all, stem, weight);
        }
    }
}

fn push(all: &mut Vec<Word>, stem: String, weight: Weight) {
    if !all.iter().any(|known| known.stem == stem) {
        all.push(Word { stem, weight });
    }
}

/// Scripts that are written without blanks, and Hangul, whose particles stand at the words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}')
}

fn stem(word: &str) -> String {
    let mut stem = word;
    while let Some(shorter) =
        ENDS.iter().find_map(|end| stem.strip_suffix(end).filter(|rest| rest.len() >= 3))
    {
        stem = shorter;
    }
    // `tidy` and `tidied`.
    match stem.strip_suffix('y') {
        Some(rest) if rest.len() >= 3 => format!("{rest}i"),
        _ => stem.to_owned(),
    }
}

/// Letters and digits only, in lower case, words apart and a blank on both sides.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        out.push_str(&word.to_lowercase());
        out.push(' ');
    }
    out
}

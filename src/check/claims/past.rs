//! What a sentence plainly says was deleted or merged. That is a claim too: it no longer holds where the thing is
//! there, and it is compared before it is called true.
//!
//! Anything short of plain stays silent: a wish, a rule, what was removed *from* a file, lines of it.

use super::sentence::Word;
use super::stance::{Under, is_passive_before};
use super::words::{self, Parts};

/// Whether the words around a name plainly say that it was deleted.
pub(super) fn is_deleted(ahead: &[Word<'_>], behind: &[Word<'_>], under: Under) -> bool {
    if hedged(ahead) || hedged(behind) || is_out_of(behind) || !is_object(behind) {
        return false;
    }
    let nearest = ahead.iter().rev().find(|word| !word.is_filler());
    let by_verb = nearest.is_some_and(|word| is_deed(word) || word.is_porcelain_d());
    let by_fate = behind.iter().find(|word| word.is_gone()).is_some_and(is_deed);
    by_verb || by_fate || nearest.is_none() && under.deleted
}

/// The same in scripts without blanks, by the sentence on both sides.
pub(super) fn is_told(before: &str, after: &str) -> bool {
    stands(&words::TOLD, before, after) && !is_taken_back(before, after)
}

/// Whether such a sentence takes back what it says, or tells of a part.
pub(super) fn is_taken_back(before: &str, after: &str) -> bool {
    stands(&words::TAKEN_BACK, before, after)
}

fn stands(parts: &Parts, before: &str, after: &str) -> bool {
    parts.stand_in(before) || parts.stand_in(after)
}

/// Whether a heading or a lead names a list of what was deleted: nothing else, and no wish.
pub(super) fn names_deleted(words: &[Word<'_>]) -> bool {
    let is_about = |word: &Word<'_>| is_deed(word) || word.is_filler() || word.is_of_heading();
    words.iter().any(is_deed) && !hedged(words) && words.iter().all(is_about)
}

/// Whether the words around a branch plainly say that it was merged.
pub(super) fn is_merged(ahead: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    if hedged(ahead) || hedged(behind) {
        return false;
    }
    let is_merge = |word: &Word<'_>| words::MERGED.has(&word.text);
    if ahead.iter().rev().find(|word| !word.is_filler()).is_some_and(is_merge) {
        return is_object(behind) || behind.iter().any(|word| word.text == "into" || word.text == "to");
    }
    let near = behind.iter().take(6).take_while(|word| word.is_mark() || word.is_link() || is_merge(word));
    let at = near.into_iter().position(is_merge);
    // `unito a main`; in English, `merged a fix` is another deed.
    let is_into = |at: usize| {
        behind[at].text != "merged" && behind.get(at + 1).is_some_and(|next| words::ONTO.has(&next.text))
    };
    at.is_some_and(|at| is_into(at) || is_passive_before(behind.get(at + 1)))
}

/// Whether a branch is one that others are merged into: that it was merged itself says nothing that lasts.
pub(super) fn is_trunk(name: &str) -> bool {
    words::TRUNKS.has(name)
}

fn is_deed(word: &Word<'_>) -> bool {
    words::DELETED.has(&word.text)
}

fn hedged(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| words::HEDGES.has(&word.text) || word.raw.ends_with('?'))
}

/// `removed x from the build`: x may be left, unless it is the repository that it was removed from.
fn is_out_of(behind: &[Word<'_>]) -> bool {
    let from = behind.iter().take(12).position(|word| matches!(&*word.text, "from" | "out" | "off"));
    from.is_some_and(|at| !behind[at + 1..].iter().take(3).any(|word| words::WHOLES.has(&word.text)))
}

/// Whether the name itself is what it was done to: `deleted a.rs`, not `deleted the a.rs tests`.
fn is_object(behind: &[Word<'_>]) -> bool {
    for (at, word) in behind.iter().enumerate() {
        if word.is_gone() {
            // `deleted a.rs and moved b.rs`: the second deed has an object of its own.
            let is_another = at > 0 && words::AND.has(&behind[at - 1].text);
            return is_another
                || is_passive_before(behind.get(at + 1))
                || word.raw.ends_with([')', ',', '|']);
        }
        if word.is_mark() {
            // A name ends with its own mark; any other one ends the clause.
            if word.raw.contains([',', ';', ':', ')', '—', '–']) {
                return true;
            }
        } else if word.raw.starts_with(['(', '—', '–']) {
            return true;
        } else if !word.is_filler() && !word.is_link() {
            return is_passive_before(Some(word));
        }
    }
    true
}

//! What a sentence plainly says was deleted or merged. That is a claim too: it no longer holds where the thing is
//! there, and it is compared before it is called true.
//!
//! Anything short of plain stays silent: a wish, a rule, what was removed *from* a file, lines of it.

use super::words::{Under, Word, is_link, is_passive_before};

/// Words of a deed that is done.
const DELETED: &[&str] = &[
    "deleted",
    "removed",
    "purged",
    "gelöscht",
    "entfernt",
    "supprimé",
    "supprimée",
    "supprimés",
    "supprimées",
    "eliminado",
    "eliminada",
    "eliminados",
    "eliminadas",
    "eliminó",
    "suprimido",
    "suprimida",
    "eliminato",
    "rimosso",
    "silindi",
    "borrado",
    "borrada",
    "borrados",
    "removido",
    "removida",
    "removidos",
    "apagado",
    "apagada",
    "excluído",
    "удалён",
    "удален",
    "удалена",
    "удалено",
    "удалены",
    "удалил",
    "удалили",
];
/// The same in scripts without blanks.
const TOLD: &[&str] = &[
    "已删除",
    "已刪除",
    "删除了",
    "刪除了",
    "已移除",
    "移除了",
    "削除した",
    "削除しました",
    "削除済",
    "đã xóa",
    "đã xoá",
    "삭제함",
    "삭제했",
    "삭제됨",
];
/// What takes it back there, or says that something was taken out of the thing.
const TAKEN_BACK: &[&str] = &[
    "不要", "没有", "未", "需要", "待", "计划", "将", "從", "从", "中的", "せず", "予定", "から", "内の",
    "하지", "예정", "에서",
];
/// Words of a sentence that is no report.
const HEDGES: &[&str] = &[
    "will",
    "should",
    "shall",
    "can",
    "could",
    "must",
    "if",
    "when",
    "would",
    "may",
    "might",
    "todo",
    "plan",
    "planned",
    "plans",
    "need",
    "needs",
    "want",
    "let's",
    "not",
    "never",
    "no",
    "cannot",
    "can't",
    "don't",
    "didn't",
    "wasn't",
    "isn't",
    "aren't",
    "instead",
    "soon",
    "later",
    "next",
    "until",
    "once",
    "unless",
    "be",
    "being",
    "propose",
    "proposed",
    "consider",
    "safe",
    "ready",
    "candidate",
    "candidates",
    "again",
    "back",
    "restored",
    "re-added",
    "readded",
    "recreated",
    "reverted",
    "revert",
    "partly",
    "partially",
    "mostly",
    "half",
    "yet",
    "before",
    "after",
    "soll",
    "sollte",
    "nicht",
    "wird",
    "werden",
    "kann",
    "muss",
    "noch",
    "не",
    "нужно",
    "надо",
    "será",
    "debe",
    "não",
    "pas",
    "peut",
    "doit",
    "?",
];
/// What a thing is deleted from as a whole.
const WHOLES: &[&str] = &[
    "repo",
    "repository",
    "project",
    "tree",
    "disk",
    "git",
    "codebase",
    "worktree",
    "remote",
    "origin",
    "machine",
];
/// Branches that work is merged into, and that are merged to catch up with them.
const TRUNKS: &[&str] = &["main", "master", "develop", "dev", "trunk", "staging", "production"];

/// Whether the words around a name plainly say that it was deleted.
pub(super) fn is_deleted(ahead: &[Word<'_>], behind: &[Word<'_>], under: Under) -> bool {
    if hedged(ahead) || hedged(behind) || is_out_of(behind) || !is_object(behind) {
        return false;
    }
    let nearest = ahead.iter().rev().find(|word| !word.is_filler());
    let by_verb = nearest.is_some_and(|word| is_deed(word) || word.raw == "D");
    let by_fate = behind.iter().find(|word| word.is_gone()).is_some_and(is_deed);
    by_verb || by_fate || nearest.is_none() && under.deleted
}

/// The same in scripts without blanks, by the sentence on both sides.
pub(super) fn is_told(before: &str, after: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| before.contains(word) || after.contains(word));
    any(TOLD) && !any(TAKEN_BACK)
}

/// Whether a heading or a lead names a list of what was deleted: nothing else, and no wish.
pub(super) fn names_deleted(words: &[Word<'_>]) -> bool {
    words.iter().any(is_deed) && !hedged(words) && words.iter().all(|word| is_deed(word) || word.is_filler())
}

/// Whether the words around a branch plainly say that it was merged.
pub(super) fn is_merged(ahead: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    if hedged(ahead) || hedged(behind) {
        return false;
    }
    let is_merge = |word: &Word<'_>| word.text == "merged";
    if ahead.iter().rev().find(|word| !word.is_filler()).is_some_and(is_merge) {
        return is_object(behind) || behind.iter().any(|word| word.text == "into" || word.text == "to");
    }
    let at = behind.iter().take(6).take_while(|word| word.is_mark() || is_link(word)).position(is_merge);
    at.is_some_and(|at| is_passive_before(behind.get(at + 1)))
}

/// Whether a branch is one that others are merged into: that it was merged itself says nothing that lasts.
pub(super) fn is_trunk(name: &str) -> bool {
    TRUNKS.contains(&name)
}

fn is_deed(word: &Word<'_>) -> bool {
    DELETED.contains(&word.text.as_ref())
}

fn hedged(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| HEDGES.contains(&word.text.as_ref()) || word.raw.ends_with('?'))
}

/// `removed x from the build`: x may be left, unless it is the repository that it was removed from.
fn is_out_of(behind: &[Word<'_>]) -> bool {
    let from = behind.iter().take(12).position(|word| matches!(&*word.text, "from" | "out" | "off"));
    from.is_some_and(|at| !behind[at + 1..].iter().take(3).any(|word| WHOLES.contains(&word.text.as_ref())))
}

/// Whether the name itself is what it was done to: `deleted a.rs`, not `deleted the a.rs tests`.
fn is_object(behind: &[Word<'_>]) -> bool {
    for (at, word) in behind.iter().enumerate() {
        if word.is_gone() {
            return is_passive_before(behind.get(at + 1)) || word.raw.ends_with([')', ',', '|']);
        }
        if word.is_mark() {
            // A name ends with its own mark; any other one ends the clause.
            if word.raw.contains([',', ';', ':', ')', '—', '–']) {
                return true;
            }
        } else if word.raw.starts_with(['(', '—', '–']) {
            return true;
        } else if !word.is_filler() && !is_link(word) {
            return is_passive_before(Some(word));
        }
    }
    true
}

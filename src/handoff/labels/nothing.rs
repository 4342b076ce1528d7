//! Words that say "nothing", and blanks of forms that nobody filled in.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::handoff::fold::fold;
use crate::handoff::inert;

/// Words for "nothing" that end the matter when they stand at the end or before a mark (`Нет. Ответ …`,
/// `(none) — all green`); with more words behind them they are a sentence (`Нет доступа`). Folded.
const NOTHING: &[&str] = &[
    "none",
    "nothing",
    "n a",
    "na",
    "nil",
    "null",
    "no",
    "not blocked",
    "none known",
    "none at the moment",
    "none right now",
    "none currently",
    "none at this time",
    "none at present",
    "none so far",
    "none for now",
    "none yet",
    "none identified",
    "none open",
    "currently none",
    "no blockers",
    "no blocker",
    "no open blockers",
    "no known blockers",
    "no current blockers",
    "no active blockers",
    "no blockers at the moment",
    "no blockers at this time",
    "no blockers right now",
    "no blockers currently",
    "no issues",
    "no open issues",
    "no open problems",
    "nothing blocking",
    "nothing is blocking",
    "nothing blocked",
    "nothing is blocked",
    "nothing at the moment",
    "nothing right now",
    "nothing open",
    "empty",
    "unblocked",
    "none that we know of",
    "there are no blockers",
    "there are none",
    "not at this time",
    "nothing is currently blocking",
    "not currently blocked",
    "no current issues",
    "no hard blockers",
    "no external blockers",
    "no blocking issues",
    "currently no blockers",
    "none reported",
    "none noted",
    "none found",
    "no technical blockers",
    "none whatsoever",
    "no remaining blockers",
    "no major blockers",
    "no blockers known",
    "no blockers identified",
    "nothing blocks us",
    "no blockers remain",
    "no blockers so far",
    "no blockers for now",
    "no blockers yet",
    "no impediments",
    "no obstacles",
    "none remaining",
    "no open questions",
    "无",
    "無",
    "没有",
    "沒有",
    "暂无",
    "暫無",
    "无阻塞",
    "無阻塞",
    "没有阻塞",
    "暂无阻塞",
    "无阻塞项",
    "目前没有",
    "目前无",
    "当前无",
    "当前无阻塞",
    "无明显阻塞",
    "沒有阻礙",
    "无障碍",
    "不适用",
    "なし",
    "無し",
    "特になし",
    "特に無し",
    "特にありません",
    "ありません",
    "ない",
    "今のところなし",
    "現時点でなし",
    "現在なし",
    "ブロッカーなし",
    "該当なし",
    "課題なし",
    "問題なし",
    "特にない",
    "없음",
    "없다",
    "없습니다",
    "해당 없음",
    "특별히 없음",
    "현재 없음",
    "지금은 없음",
    "아직 없음",
    "막힌 점 없음",
    "블로커 없음",
    "특이사항 없음",
    "없어요",
    "없음음",
    "따로 없음",
    "нет",
    "нету",
    "отсутствуют",
    "отсутствует",
    "ничего",
    "блокеров нет",
    "нет блокеров",
    "пока нет",
    "сейчас нет",
    "препятствий нет",
    "нет препятствий",
    "ничего не блокирует",
    "ничего не мешает",
    "на данный момент нет",
    "проблем нет",
    "не заблокировано",
    "nenhum",
    "nenhuma",
    "nenhum bloqueio",
    "sem bloqueios",
    "nada",
    "não há",
    "nao ha",
    "nenhum no momento",
    "não há bloqueios",
    "sem impedimentos",
    "nenhum impedimento",
    "nenhum por enquanto",
    "no momento nenhum",
    "sem bloqueio",
    "ninguno",
    "ninguna",
    "ningún bloqueo",
    "sin bloqueos",
    "no hay",
    "no hay bloqueos",
    "ninguno por ahora",
    "ninguno de momento",
    "por ahora ninguno",
    "de momento ninguno",
    "ninguno por el momento",
    "sin impedimentos",
    "nada por ahora",
    "không",
    "không có",
    "không có gì",
    "chưa có",
    "hiện không có",
    "không vướng",
    "không có vướng mắc",
    "hiện tại không có",
    "không có trở ngại",
    "hiện chưa có",
    "keine",
    "keiner",
    "keines",
    "nichts",
    "derzeit keine",
    "aktuell keine",
    "keine blocker",
    "zurzeit keine",
    "momentan keine",
    "keine bekannt",
    "keine hindernisse",
    "im moment keine",
    "keine bekannten",
    "entfällt",
    "zur zeit keine",
    "keine derzeit",
    "yok",
    "engel yok",
    "hiçbiri",
    "şu an yok",
    "bulunmuyor",
    "şimdilik yok",
    "şu anda yok",
    "hiç yok",
    "engelleyen yok",
    "bir engel yok",
    "herhangi bir engel yok",
    "هیچ",
    "ندارد",
    "ندارم",
    "نداریم",
    "نیست",
    "موردی نیست",
    "مانعی نیست",
    "مانعی وجود ندارد",
    "هیچ مانعی نیست",
    "فعلا هیچ",
    "فعلا ندارد",
    "بدون مانع",
    "موردی ندارد",
    "هیچ موردی",
    "هیچکدام",
    "فعلا موردی نیست",
    "مانعی نداریم",
    "aucun",
    "aucune",
    "rien",
    "néant",
    "aucun blocage",
    "aucun pour le moment",
    "nessuno",
    "nessuna",
    "niente",
    "nulla",
    "nessun blocco",
    "nessun problema",
    "nessun impedimento",
    "brak",
    "brak blokerów",
    "brak blokad",
    "żadne",
    "nie ma",
    "nic",
    "geen",
    "geen blokkades",
    "geen blokkers",
    "niets",
    "geen problemen",
    "tidak ada",
    "belum ada",
    "tidak ada hambatan",
    "tidak ada kendala",
    "tidak ada blocker",
    "nihil",
    "لا یوجد",
    "لا شیء",
    "لا توجد",
    "لا توجد عوائق",
    "لا عوائق",
    "لیس هناک",
];

/// Words behind a word for nothing that say how long it holds: `Aucun pour l’instant`. Folded.
const FOR_NOW: &[&str] = &[
    "for now",
    "right now",
    "at the moment",
    "at this time",
    "at present",
    "at this point",
    "currently",
    "today",
    "so far",
    "yet",
    "known",
    "pour linstant",
    "pour le moment",
    "actuellement",
    "à ce stade",
    "por ahora",
    "por el momento",
    "de momento",
    "actualmente",
    "por enquanto",
    "no momento",
    "atualmente",
    "derzeit",
    "aktuell",
    "zurzeit",
    "momentan",
    "bekannt",
    "per ora",
    "al momento",
    "attualmente",
    "na razie",
    "obecnie",
    "op dit moment",
    "momenteel",
    "saat ini",
    "untuk saat ini",
    "hiện tại",
    "lúc này",
    "şimdilik",
    "şu an",
    "на данный момент",
    "сейчас",
    "пока",
    "حالیا",
    "فعلا",
];

/// What people write where something is still to be filled in, in any case.
const BLANKS: &[&str] = &[
    "tbd",
    "todo",
    "fixme",
    "xxx",
    "yyyy-mm-dd",
    "yyyy-mm-dd hh:mm",
    "tba",
    "???",
    "see above",
    "see below",
    "as above",
];

/// [`NOTHING`], to be looked up.
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| NOTHING.iter().copied().collect());

/// Whether a text says that there is nothing: such a word, then the end or a mark.
pub fn is_nothing(text: &str) -> bool {
    let text = inert::plain_text(text);
    let text = text
        .trim()
        .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[' && c != '{' && c != '-' && c != '—');
    if text.is_empty() || matches!(text, "[]" | "{}" | "-" | "—" | "–" | "--" | "[ ]") {
        return true;
    }
    let cut = text.char_indices().nth(80).map(|(at, _)| at);
    let head = &text[..cut.unwrap_or(text.len())];
    let end = head
        .find([
            '.', ',', ';', ':', '!', '(', ')', ']', '—', '–', '。', '，', '；', '：', '、', '（', '）', '！',
            '،', '؛', '…', '\n',
        ])
        .or_else(|| head.find(" - "))
        .unwrap_or(head.len());
    let begins = |word: &str| head.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    // The whole text may be shorter than a sentence that was cut at its 80th character. `no/off` is a value, not a
    // word for nothing.
    (end < head.len() || cut.is_none()) && !begins("no/") && says_nothing(&fold(&head[..end]))
        || begins("n/a") && !head[3..].starts_with(char::is_alphanumeric)
}

/// Whether a folded text is a word for nothing, for now or for good.
fn says_nothing(key: &str) -> bool {
    let lasting = || {
        let rest = FOR_NOW.iter().find_map(|tail| key.strip_suffix(tail));
        rest.is_some_and(|rest| rest.ends_with(' ') && WORDS.contains(rest.trim_end()))
    };
    WORDS.contains(key) || lasting()
}

/// Whether a value is a form's blank: `<branch name>`, `[describe]`, `{date}`, `…`, `TBD`, `YYYY-MM-DD`.
pub(in crate::handoff) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    if is_dots(text) && text.chars().count() >= 2 {
        return true;
    }
    let text = text.trim_matches(['*', '_', '`', '"', '\'']).trim_end_matches(['.', ',', ';']).trim();
    let Some(open) = text.chars().next() else { return false };
    let close = match open {
        '<' => '>',
        '[' => ']',
        '{' | '$' => '}',
        '＜' => '＞',
        '【' => '】',
        _ => return is_dots(text) || BLANKS.iter().any(|word| text.eq_ignore_ascii_case(word)),
    };
    let Some(inner) = text[open.len_utf8()..].strip_suffix(close) else { return false };
    match open {
        '$' => inner.starts_with('{'),
        '{' if inner.starts_with('{') && inner.ends_with('}') => true,
        _ => !inner.is_empty() && !inner.contains([open, close]),
    }
}

/// Whether a text is made of the marks that stand for one.
fn is_dots(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '…' | '.' | '_' | '?' | '-' | '—'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_leading_word_and_not_a_sentence() {
        for text in [
            "None",
            "(none) — all 188 replay cases agree",
            "Нет. Ответ поставщика желателен",
            "无。流量计到货之前",
            "なし",
            "없음",
            "- none",
            "**None.**",
            "[]",
            "n/a",
            "N/A — see above",
            "Nenhum.",
            "No blockers at the moment.",
            "Không có.",
            "✅ None",
            "",
            "None, all green",
            "هیچ",
            "Yok.",
            "none (all clear)",
            "Keine.",
            "Блокеров нет",
            "_none_",
            "Aucun pour l’instant.",
            "Nessuno al momento",
            "Brak",
            "Geen.",
            "Tidak ada",
            "لا يوجد",
        ] {
            assert!(is_nothing(text), "{text:?} says that there is nothing");
        }
        for text in [
            "None of the tests run on the new board",
            "Нет доступа к серверу",
            "无法访问仓库",
            "No access to the share",
            "Không có quyền truy cập máy chủ",
            "Nothing works since the storm",
            "Keine Antwort vom Lieferanten",
            "Nenhuma resposta do cliente",
            "なしくずしに増えた",
            "Brak przykładowego zapisu",
            "Nothing works for now",
            "No/off switch is broken",
        ] {
            assert!(!is_nothing(text), "{text:?} is something");
        }
    }

    #[test]
    fn blanks_of_a_form_are_no_values() {
        for text in [
            "<branch name, or null>",
            "[Describe the task]",
            "{date}",
            "{{branch}}",
            "…",
            "TBD",
            "YYYY-MM-DD",
            "`<one step>`",
            "___",
            "See above.",
        ] {
            assert!(is_placeholder(text), "{text:?} is a blank of a form");
        }
        for text in ["main", "[x](y) and more", "<b>bold</b> text", "fix <Foo> in [bar]", "a…"] {
            assert!(!is_placeholder(text), "{text:?} is a value");
        }
    }
}

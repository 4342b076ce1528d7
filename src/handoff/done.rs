//! What a page says was done, where it has a section for that.

use super::Inert;
use super::fold::fold;
use super::markdown::{Dialect, scan};
use super::model::Format;
use super::outline::{Outline, Section};

/// Names of a section about what was done, by language; folded when they are compared.
const NAMES: &[&str] = &[
    "done|completed|completed tasks|what was done|what got done|finished|accomplished|what i did|what we did|work done|\
     done this session|completed this session|landed|shipped",
    "已完成|完成|已做|做了什么|本次完成",
    "完了|完了したこと|やったこと|終わったこと|済み|実施内容|作業内容",
    "끝낸 일|완료|완료한 일|한 일|완료된 작업|완료 사항",
    "что сделано|сделано|готово|выполнено|завершено",
    "feito|concluído|o que foi feito|realizado|terminado",
    "hecho|completado|lo hecho|lo que se hizo|qué se hizo",
    "đã xong|đã làm|hoàn thành|đã hoàn thành|việc đã làm",
    "erledigt|was erledigt ist|was gemacht wurde|abgeschlossen|geschafft|gemacht",
    "yapılanlar|tamamlananlar|bitenler|tamamlandı|yapıldı|biten işler",
    "انجام‌شده|انجام شده|کارهای انجام‌شده|کارهای انجام شده|تمام شده|آنچه انجام شد",
    "fait|terminé|ce qui est fait|ce qui a été fait|accompli|ce qui a été accompli|réalisé",
    "fatto|completato|cosa è stato fatto|ultimo lavoro completato|lavoro svolto",
    "zrobione|ukończone|zakończone|wykonane|co zrobiono",
    "gedaan|afgerond|voltooid|wat is gedaan|wat er gedaan is",
    "selesai|sudah selesai|yang sudah selesai|yang sudah dikerjakan|sudah dikerjakan",
    "تم إنجازه|ما تم إنجازه|المنجز|مكتمل|المكتمل",
];

/// The items under the first section of a page that is about what was done; its first paragraph where it has no list.
/// Open boxes are left out. Nothing for data, which has fields of its own.
pub fn done(page: &str, format: Format) -> Vec<Inert> {
    let dialect = match format {
        Format::Markdown => Dialect::Markdown,
        Format::Text => Dialect::Plain,
        Format::Json | Format::Yaml => return Vec::new(),
    };
    let lines = scan(page, dialect);
    let outline = Outline::of(&lines);
    let about = (0..outline.sections.len()).filter(|&at| is_done(&outline.sections[at]));
    let items = about.map(|at| {
        let content = outline.content(&lines, at);
        let items = content.items.into_iter().filter(|item| item.ticked != Some(false));
        let said: Vec<Inert> = items.map(|item| item.text.into()).collect();
        let paragraph = content.paragraph.map(|item| Inert::from(item.text));
        if said.is_empty() { paragraph.into_iter().collect() } else { said }
    });
    items.into_iter().find(|said: &Vec<Inert>| !said.is_empty()).unwrap_or_default()
}

fn is_done(section: &Section) -> bool {
    let name = fold(&section.name);
    NAMES.iter().flat_map(|names| names.split('|')).any(|known| fold(known) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> Vec<String> {
        done(page, Format::Markdown).iter().map(|item| item.raw().to_owned()).collect()
    }

    #[test]
    fn a_section_about_what_was_done_says_it_in_any_of_the_languages() {
        for heading in ["Done", "✅ Completed", "What was done", "已完成", "Сделано", "Erledigt", "Feito"]
        {
            let page = format!("# H\n\n## {heading}\n- [x] one\n- two\n- [ ] three\n\n## Next\n- four\n");
            assert_eq!(said(&page), ["one", "two"], "{heading}: what is ticked or bare, and no open box");
        }
        assert_eq!(said("# H\n\n## Done\nAll of it, in one go.\n"), ["All of it, in one go."], "a paragraph");
        assert_eq!(said("# H\n\n## Done\n\n## Completed\n- one\n"), ["one"], "an empty one says nothing");
    }

    #[test]
    fn what_only_sounds_like_it_is_not_taken() {
        for page in [
            "# H\n\n## Definition of done\n- one\n",
            "# H\n\n## Not done\n- one\n",
            "# H\n\n```\n## Done\n- one\n```\n",
            "# H\n\n## Next\n- Done\n",
        ] {
            assert!(said(page).is_empty(), "{page:?}");
        }
        assert!(done("done:\n- one\n", Format::Yaml).is_empty(), "data has fields of its own");
    }
}

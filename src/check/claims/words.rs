//! The words that speak of files, branches and commits, language by language. What they mean in a sentence is told by
//! `stance`, `past` and `naming`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The bytes that some texts begin with: most words are told from all of them by theirs.
struct Begins([bool; 256]);

impl Begins {
    fn of(texts: &[&str]) -> Self {
        let mut begins = [false; 256];
        texts.iter().filter_map(|text| text.bytes().next()).for_each(|byte| begins[usize::from(byte)] = true);
        Self(begins)
    }

    fn may_begin(&self, text: &str) -> bool {
        text.bytes().next().is_some_and(|byte| self.0[usize::from(byte)])
    }
}

/// Whole words of one meaning, in lower case.
pub(super) struct Words {
    all: HashSet<&'static str>,
    begins: Begins,
}

impl Words {
    /// From lines of words, apart by blanks: a line for each language.
    fn of(lines: &[&'static str]) -> Self {
        let all: Vec<_> = lines.iter().flat_map(|line| line.split(' ')).collect();
        Self { begins: Begins::of(&all), all: all.into_iter().collect() }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.begins.may_begin(word) && self.all.contains(word)
    }
}

/// Parts of one meaning, in lower case: beginnings of words, or phrases of any script.
pub(super) struct Parts {
    /// Those of ASCII first.
    all: Vec<&'static str>,
    /// How many of them are of ASCII: others stand in no text that is.
    ascii: usize,
    begins: Begins,
}

impl Parts {
    /// From lines of parts, apart by bars: a line for each language.
    fn of(lines: &[&'static str]) -> Self {
        let (mut all, other): (Vec<_>, Vec<_>) =
            lines.iter().flat_map(|line| line.split('|')).partition(|part| part.is_ascii());
        let ascii = all.len();
        all.extend(other);
        Self { begins: Begins::of(&all), all, ascii }
    }

    /// Whether a word begins with one of them.
    pub(super) fn begin(&self, word: &str) -> bool {
        self.begins.may_begin(word) && self.all.iter().any(|part| word.starts_with(part))
    }

    /// Whether a text ends with one of them.
    pub(super) fn end(&self, text: &str) -> bool {
        self.all.iter().any(|part| text.ends_with(part))
    }

    /// Whether one of them stands anywhere in a text.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        let some = if text.is_ascii() { &self.all[..self.ascii] } else { &self.all };
        some.iter().any(|part| text.contains(part))
    }
}

/// Beginnings of words that say that something went away.
pub(super) static GONE: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "delet|remov|renam|replac|supersed|retir|purg|eliminat|discard|unlink|prun|obsolet|relocat|scrapp|nuked",
        "ditch|trash|dropp",
        "gelöscht|lösch|entfern|umbenannt|verschoben|ersetzt",
        "supprim|suppress|renomm|déplac",
        "eliminad|eliminó|eliminamos|suprimid|borrad|borramos|borró|renombr|movid|movimos|traslad",
        "removid|excluíd|excluímos|apagad|apagamos|renomead|renomeamos|movemos",
        "rimoss|cancellat|rinomin|spostat",
        "удал|переимен|перемещ|перенес|перенёс|замен|убран",
        "usunię|usuną|przenies|przemian|skasow",
        "verwijder|hernoem|verplaats",
        "silindi|kaldır|taşındı",
    ])
});
/// Such words as a whole.
pub(super) static GONE_WORDS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "move moved moves moving drop drops gone rm vanished lost killed deletion deletions renames removals",
    ])
});
/// The same in scripts without blanks, and of more than one word.
pub(super) static GONE_ANYWHERE: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "删除|刪除|移除|重命名|改名|移动|移動|已删",
        "削除|リネーム|廃止",
        "삭제|제거|이름을 변경|이동",
        "đã xóa|đã xoá|xóa bỏ|đổi tên|đã chuyển",
        "حذف",
    ])
});
/// What says that something is not there.
pub(super) static ABSENT: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "existiert nicht|nicht mehr vorhanden|gibt es nicht mehr",
        "n'existe plus|n'existe pas|n’existe plus",
        "ya no existe|no existe",
        "não existe",
        "non esiste",
        "больше нет|не существует",
        "nie istnieje",
        "bestaat niet",
        "không còn|không tồn tại",
        "不存在|不再存在|没有了",
        "存在しない|存在しません|もうない|もう無い",
        "존재하지 않|더 이상 없",
        "artık yok",
    ])
});
/// Words after which the old thing may or may not be left.
pub(super) static SOFT: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "split merge merges merging fold folded inlined inline squashed squash amended amend rebased rewritten",
        "rewrote reverted revert reverts clean cleaned cleaning deprecated archived closed abandoned orphaned",
    ])
});
/// Words that say that a branch was merged; the old thing may or may not be left there, too.
pub(super) static MERGED: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "merged",
        "gemergt gemerged zusammengeführt",
        "fusionné fusionnée mergé mergée",
        "fusionada fusionado mergeada mergeado mesclada mesclado",
        "unito unita fuso fusa mergiato",
        "влит влита влили слит слита смержен смержена",
        "scalony scalono scalona samengevoegd birleştirildi",
    ])
});
/// The same in scripts without blanks, and of more than one word.
pub(super) static MERGED_ANYWHERE: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "已合并|已合併|已经合并|已經合併",
        "マージ済|マージした|マージしました|マージされた",
        "병합됨|병합 완료|병합함|머지됨|머지 완료",
        "đã merge|đã hợp nhất|đã gộp",
    ])
});
/// Beginnings of words of a new name.
pub(super) static MOVES: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "renam|mov|relocat",
        "umbenannt|verschoben",
        "renomm|déplac",
        "renombr|traslad|renome",
        "rinomin|spostat",
        "переимен|перемещ|перенес|перенёс",
        "przenies|przemian|hernoem|verplaats",
        "đổi|chuyển",
    ])
});
/// Words between a word of a new name and the old one.
pub(super) static OFF: LazyLock<Words> =
    LazyLock::new(|| Words::of(&["from", "aus von", "depuis de", "desde", "da dal", "из", "uit van z"]));
/// Words between a word of a new name and that name.
pub(super) static ONTO: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "to into as",
        "nach zu in",
        "en vers à",
        "a como",
        "para em",
        "come",
        "в на",
        "do na naar",
        "thành sang",
    ])
});
/// The new name behind a word of a new name, in scripts without blanks: at the end of what stands before it.
pub(super) static ONTO_BEFORE: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&["重命名为|重命名為|改名为|改名為|改为|移动到|移動到|移至|移到", " thành| sang"])
});
/// The same at the beginning of what stands behind it.
pub(super) static ONTO_BEHIND: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "にリネーム|に改名|へ改名|に移動|へ移動|に変更|へ変更",
        "로 이동|으로 이동|로 이름|으로 이름|로 변경|으로 변경",
    ])
});
/// Words that may stand between a verb and what it is about.
pub(super) static FILLERS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "the a an its their this that these those file files old stale dead unused legacy temporary branch branches tag",
        "tags commit commits directory dir folder folders module path paths both also and or local remote feature",
        "following all whole entire up out x now-unused obsolete",
        "die der das den datei dateien ordner verzeichnis skript zweig und wir haben wurde wurden alte alten",
        "le la les fichier fichiers dossier répertoire branche et ancien ancienne",
        "el los las archivo archivos fichero ficheros directorio carpeta rama y",
        "o os arquivo arquivos pasta diretório ramo e",
        "il lo gli cartella",
        "файл файлы файла каталог папка папку ветка ветку и",
        "plik pliki katalog gałąź",
        "het een bestand bestanden",
        "tệp thư mục và",
    ])
});
/// Words of a heading beside the one that it is about.
pub(super) static OF_HEADING: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "what i we you have has were was been got things in this session today just already so far here list",
        "was ich sitzung heute diese dieser",
        "ce que j'ai nous avons qui",
        "lo que",
    ])
});
/// Words that go on with another thing or another deed.
pub(super) static AND: LazyLock<Words> = LazyLock::new(|| Words::of(&["and or but", "und et y e и en và"]));
/// Words that stand between a thing and what is said of it.
pub(super) static LINKS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "was were is are has have had been being be got it which that both now also then and or already since fully",
        "finally all just merged file files branch branches local remote locally remotely the will should can",
        "wurde wurden ist sind bereits schon",
        "a été est sont déjà",
        "fue fueron está ha sido ya",
        "foi foram já",
        "è stato stata sono già",
        "был была было были уже",
        "został została zostało jest już",
        "is zijn werd al",
    ])
});
/// The ones of those that make the next word a passive one.
pub(super) static PASSIVE: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "was were is are has have had been being be got",
        "wurde wurden ist sind",
        "été est sont",
        "fue fueron está sido",
        "foi foram",
        "è stato stata",
        "был была было были",
        "został została zostało jest",
        "zijn werd",
    ])
});
/// What may follow a passive word; anything else is what it is done to.
pub(super) static AFTER_PASSIVE: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "in by from as because since with after before during and or but entirely completely last on at yesterday today",
        "to into for earlier already upstream when too again now locally remotely everywhere per via long this",
        "nach zu im mit bei durch und am",
        "en vers à dans par lors et",
        "para por y",
        "em na e",
        "nel da dal su",
        "в на по из и",
        "do przez w naar op door",
        "thành sang",
    ])
});
/// Words of a place, before a name: the sentence is about something else that is there.
pub(super) static PREPOSITIONS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "in from inside within of under at to into via using with by see per as on onto against for like",
        "siehe vgl aus im bei unter mit",
        "dans voir sous avec",
        "en ver véase con",
        "em vide com",
        "nel nella vedi",
        "в из на см",
        "w z trong xem",
    ])
});
/// The ones of those that may go on with a list: `a.rs together with b.rs`.
pub(super) static WITH: LazyLock<Words> =
    LazyLock::new(|| Words::of(&["with", "mit", "avec", "con", "com", "с", "z", "met"]));
/// Words that say that something is there.
pub(super) static PRESENT: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "added adds created creates wrote written updated updates edited changed modified implemented introduced fixed",
        "kept keep read extended refactored new now uses touched touches extracted lives done",
    ])
});
/// Words before a name that is no longer one.
pub(super) static FORMER: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "formerly previously former without no not never ex missing",
        "nicht não не",
        "früher vormals",
        "anciennement",
        "бывший",
    ])
});
/// Labels of a name that is no longer one.
pub(super) static FORMER_LABELS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "before old from was source",
        "vorher alt von",
        "avant ancien de",
        "antes antiguo antigo",
        "prima vecchio da",
        "до было старый",
        "之前 原 旧 変更前 移動元 이전",
    ])
});
/// Words that speak of what is to come.
pub(super) static PLANNED: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "will should todo to-do plan planned create add write must shall need needs want let's propose proposed would",
        "could might tbd later next after once",
        "soll sollte anlegen erstellen schreiben fehlt",
        "créer ajouter écrire manque",
        "crear añadir escribir falta",
        "criar adicionar escrever",
        "creare aggiungere scrivere manca",
        "создать добавить написать",
        "utworzyć dodać napisać brakuje",
        "aanmaken toevoegen schrijven ontbreekt",
        "tạo thêm viết oluştur ekle",
    ])
});
/// What says, on either side of a name, that it is to be made.
pub(super) static TO_MAKE: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "to be written|to be created|to be made",
        "anlegen|erstellen",
        "à créer|créer la|créer une",
        "crear la|crear el|crear un|criar a|criar o|criar um|creare",
        "создать|utworzyć|aanmaken|oluştur|tạo nhánh|chưa tạo",
        "新建|创建|創建|新增",
        "作成する|作成予定|を作成|新規作成|を切る",
        "만들|생성할",
    ])
});
/// What says, on either side of a name, that nothing was made of it so far.
pub(super) static NOT_YET: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "not started|not yet|todo|planned|backlog|upcoming|would do",
        "noch nicht|geplant|offen|schreiben",
        "pas encore|à faire|prévu",
        "aún no|todavía no|por hacer|pendiente|ainda não|pendente|non ancora|da fare",
        "ещё не|еще не|не начат|в планах",
        "jeszcze nie|nog niet",
        "chưa",
        "尚未|未开始|待办|计划",
        "未着手|予定|まだ",
        "미시작|예정|아직",
    ])
});
/// Beginnings of a line that has a list of what is to be done below it.
pub(super) static AHEAD: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "plan|next|todo|to do|upcoming|remaining|coming|open|pending",
        "als nächstes|nächste|offen|geplant",
        "prochain|à faire|ensuite",
        "próxim|pendient|siguiente|por hacer|a fazer",
        "prossim|da fare",
        "следующ|дальше|далее|план",
        "volgende|następne|dalej|tiếp theo|sıradaki",
        "今後|次|予定|残り",
        "后续|下一步|接下来|待办|计划",
        "다음|남은|예정",
    ])
});
/// Columns of a table by what their heading calls them; branches, commits and tags by the words of `naming`.
pub(super) static FORMER_COLUMNS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "from old before was source",
        "vorher alt von",
        "avant ancien",
        "antes",
        "prima",
        "было",
        "旧 原 変更前 이전",
    ])
});

/// Words of a branch, before its name.
pub(super) static BRANCH: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "branch branches",
        "zweig zweige",
        "branche branches",
        "rama ramas",
        "ramo",
        "ветка ветке ветку ветки ветви",
        "gałąź gałęzi",
        "nhánh",
        "dalı dalında",
        "شاخه",
    ])
});
/// The same in scripts without blanks, at the end of what stands before a name or the beginning of what stands behind.
pub(super) static BRANCH_ANYWHERE: LazyLock<Parts> = LazyLock::new(|| Parts::of(&["分支|ブランチ|브랜치"]));
/// Words of a tag, before its name.
pub(super) static TAG: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&["tag tags", "étiquette", "etiqueta etiquetas", "тег тэг теге тега", "nhãn", "etiketi"])
});
/// The same in scripts without blanks.
pub(super) static TAG_ANYWHERE: LazyLock<Parts> = LazyLock::new(|| Parts::of(&["标签|標籤|タグ|태그"]));
/// The ones of these words, and of those of commits, that name several things.
pub(super) static PLURAL: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&["branches tags commits revisions", "zweige", "ramas etiquetas", "ветки теги коммиты"])
});
/// Beginnings of the names of branches that people call by no word.
pub(super) static BRANCH_KINDS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "feat feature features fix bugfix hotfix chore refactor perf release spike wip claude codex cursor copilot",
    ])
});
/// Words that make what is named after them a commit, whatever else the sentence speaks of.
pub(super) static COMMIT: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "commit commits committed revision revisions rev head tip",
        "коммит коммита коммите коммитом коммиты коммитов",
        "commiteado committato",
    ])
});
/// The same in scripts without blanks, at the end of a word.
pub(super) static COMMIT_ANYWHERE: LazyLock<Parts> = LazyLock::new(|| Parts::of(&["提交|コミット|커밋"]));
/// Words that commits are named with, and other things too.
pub(super) static HASH: LazyLock<Words> =
    LazyLock::new(|| Words::of(&["sha sha1 sha-1 hash hashes merged cherry-picked merge"]));
/// Words that stand between such a word and the digits.
pub(super) static BETWEEN: LazyLock<Words> =
    LazyLock::new(|| Words::of(&["id ids hash sha is at the was as in to now of"]));
/// How the subjects of commits begin by a wide convention.
pub(super) static SUBJECTS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&["feat fix chore docs refactor test tests ci perf build style revert merge release wip"])
});
/// Things that are named by hex digits and are no commits.
pub(super) static OTHERS: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "sha256 sha-256 sha512 sha-512 sha3 md5 digest digests checksum checksums crc crc32 fingerprint docker image",
        "container layer colour colours color colors rgb hex uuid uuids guid session sessions etag blake2 blake3 token key",
        "nonce salt id ids request trace address txid transaction account device serial build blob palette cache bundle",
        "artifact message job run deployment oid etags xxhash",
    ])
});

/// Words of a deed that is done.
pub(super) static DELETED: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "deleted removed purged",
        "gelöscht entfernt gelöschte gelöschten entfernte entfernten",
        "supprimé supprimée supprimés supprimées",
        "eliminado eliminada eliminados eliminadas eliminó eliminamos suprimido suprimida borrado borrada borrados borradas borramos",
        "removido removida removidos removidas excluídos excluídas apagado apagada excluído excluída excluímos",
        "eliminato eliminata eliminati eliminate rimosso rimossa rimossi rimosse",
        "удалённые удаленные удалён удален удалена удалено удалены удалил удалили",
        "usunięto usunięty usunięta verwijderd silindi",
    ])
});
/// The same in scripts without blanks, and of more than one word.
pub(super) static TOLD: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "已删除|已刪除|删除了|刪除了|已移除|移除了|删除的文件|刪除的檔案",
        "削除した|削除しました|削除済",
        "đã xóa|đã xoá",
        "삭제함|삭제했|삭제됨|제거함|제거 완료|삭제 완료",
    ])
});
/// What takes it back there, or says that something was taken out of the thing.
pub(super) static TAKEN_BACK: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        "不要删|不要刪|不要移|没有|未|需要|待|计划|将|從|从|中的",
        "せず|予定|から|内の",
        "하지|예정|에서",
        "chưa|khỏi|trong",
    ])
});
/// Words of a sentence that is no report.
pub(super) static HEDGES: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "will should shall can could must if when would may might todo plan planned plans need needs want let's not never",
        "no cannot can't don't didn't wasn't isn't aren't instead soon later next until once unless be being propose",
        "proposed consider safe ready candidate candidates again back restored re-added readded recreated reverted revert",
        "partly partially mostly half yet before after ?",
        "soll sollte nicht wird werden kann muss noch",
        "pas peut doit sera plus",
        "será debe todavía aún",
        "não ainda",
        "non ancora",
        "не нужно надо ещё еще",
        "nie jeszcze niet nog",
    ])
});
/// What a thing is deleted from as a whole.
pub(super) static WHOLES: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&["repo repository project tree disk git codebase worktree remote origin machine"])
});
/// Branches that work is merged into, and that are merged to catch up with them.
pub(super) static TRUNKS: LazyLock<Words> =
    LazyLock::new(|| Words::of(&["main master develop dev trunk staging production"]));

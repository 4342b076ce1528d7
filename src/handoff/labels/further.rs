//! The names in Italian, Polish, Dutch, Indonesian and Arabic. Data only, as in [`super::table`].

use super::Label::*;
use super::table::Language;
use crate::handoff::time::read::DayOrder::DayFirst;

pub(super) const ITALIAN: Language = Language {
    order: DayFirst,
    also_plain: true,
    names: &[
        (Title, "titolo"),
        (
            Saved,
            "aggiornato|aggiornato il|ultimo aggiornamento|data aggiornamento|data di aggiornamento|salvato|salvato il|ultima modifica|generato il|scritto il|data del passaggio|data della consegna|data della sessione|in data",
        ),
        (Dated, "data|data e ora|giorno|quando"),
        (Created, "creato|creato il|data di creazione|iniziato il|inizio"),
        (
            Branch,
            "ramo|ramo attuale|ramo corrente|ramo di lavoro|branch attuale|branch corrente|nome del ramo|sul ramo",
        ),
        (
            Commit,
            "ultimo commit|commit attuale|commit corrente|commit più recente|hash del commit|revisione|ultimo commit fatto",
        ),
        (Phase, "fase|fase attuale|fase corrente|tappa|tappa attuale"),
        (Status, "stato|situazione"),
        (
            Next,
            "prossimo passo|prossimi passi|prossimo step|prossimi step|prossimo step immediato|prossimo passo immediato|passo successivo|passi successivi|prossima azione|prossime azioni|prossima attività|prossime attività|cosa fare dopo|cosa fare adesso|riprendere da qui|riparti da qui|iniziare da qui|prossima sessione|per la prossima sessione|a seguire|in seguito|primo passo|domani",
        ),
        (
            Todo,
            "da fare|ancora da fare|rimanente|cosa resta|cosa manca|resta da fare|attività rimanenti|lavoro rimanente|in sospeso",
        ),
        (
            Blockers,
            "blocchi|blocco|bloccanti|bloccante|bloccato|bloccato da|impedimenti|impedimento|ostacoli|ostacolo|in attesa|in attesa di|cosa blocca|fermo su",
        ),
        (Trouble, "problemi|problemi aperti|difficoltà|problemi attuali"),
        (Decisions, "decisioni|decisioni prese|decisioni chiave|decisione|deciso"),
        (Open, "domande aperte|questioni aperte|punti aperti|domande|dubbi|da chiarire"),
        (
            Past,
            "fatto|completato|completati|cosa è stato fatto|ultimo lavoro completato|lavoro svolto|svolto|modifiche|cronologia|storico|comandi|verifica|file modificati|riferimenti|esempio|non toccare|più tardi|progressi|finito",
        ),
        (
            Facts,
            "stato attuale|stato git|stato del repository|dove siamo|dove eravamo|riepilogo|riassunto|panoramica|contesto|ambiente|metadati|informazioni",
        ),
    ],
};

pub(super) const POLISH: Language = Language {
    order: DayFirst,
    also_plain: true,
    names: &[
        (Title, "tytuł"),
        (
            Saved,
            "zaktualizowano|aktualizacja|ostatnia aktualizacja|data aktualizacji|zapisano|ostatnia zmiana|wygenerowano|data przekazania|data sesji|stan na|stan na dzień|napisano",
        ),
        (Dated, "data|data i godzina|dzień|kiedy|czas"),
        (Created, "utworzono|data utworzenia|rozpoczęto|początek"),
        (
            Branch,
            "gałąź|bieżąca gałąź|aktualna gałąź|obecna gałąź|gałąź robocza|branch roboczy|aktualny branch|bieżący branch|nazwa gałęzi|na gałęzi",
        ),
        (
            Commit,
            "ostatni commit|bieżący commit|aktualny commit|obecny commit|najnowszy commit|hash commita|rewizja|ostatnie zatwierdzenie",
        ),
        (Phase, "faza|etap|bieżąca faza|aktualna faza|obecny etap|bieżący etap|aktualny etap"),
        (Status, "status|bieżący status"),
        (
            Next,
            "następny krok|następne kroki|kolejny krok|kolejne kroki|dalsze kroki|następne zadanie|następne zadania|następne działanie|następne działania|co dalej|co teraz|dalej|zacznij tutaj|zacznij od|wznów tutaj|kontynuuj tutaj|następna sesja|na następną sesję|w następnej sesji|najbliższe kroki|pierwszy krok|jutro",
        ),
        (
            Todo,
            "do zrobienia|pozostało|co zostało|pozostałe zadania|zostało do zrobienia|niedokończone|zadania",
        ),
        (
            Blockers,
            "blokery|bloker|blokady|blokada|zablokowane|zablokowane przez|przeszkody|przeszkoda|czekamy na|oczekuje na|oczekiwanie na|co blokuje|w oczekiwaniu na",
        ),
        (Trouble, "problemy|otwarte problemy|trudności|bieżące problemy"),
        (Decisions, "decyzje|podjęte decyzje|kluczowe decyzje|decyzja|ustalenia"),
        (Open, "otwarte pytania|pytania|otwarte kwestie|niejasności|do wyjaśnienia"),
        (
            Past,
            "zrobione|ukończone|zakończone|wykonane|co zrobiono|gotowe|zmiany|historia|dziennik|polecenia|weryfikacja|testy|pliki|zmienione pliki|uwagi|notatki|przykład|nie ruszać|później|postęp",
        ),
        (
            Facts,
            "stan|aktualny stan|obecny stan|bieżący stan|stan git|stan repozytorium|repozytorium|gdzie jesteśmy|podsumowanie|przegląd|kontekst|środowisko|metadane|informacje",
        ),
    ],
};

pub(super) const DUTCH: Language = Language {
    order: DayFirst,
    also_plain: false,
    names: &[
        (Title, "titel"),
        (
            Saved,
            "bijgewerkt|bijgewerkt op|laatst bijgewerkt|laatst bijgewerkt op|laatste update|laatst gewijzigd|laatste wijziging|opgeslagen|opgeslagen op|gegenereerd op|geschreven op|datum overdracht|overgedragen op|sessiedatum|stand van",
        ),
        (Dated, "datum|datum en tijd|dag|wanneer|tijd|tijdstip"),
        (Created, "aangemaakt|aangemaakt op|gemaakt op|begonnen op|gestart"),
        (
            Branch,
            "tak|huidige branch|huidige tak|werkbranch|actieve branch|naam van de branch|op branch|op de branch",
        ),
        (
            Commit,
            "laatste commit|huidige commit|nieuwste commit|recentste commit|commithash|meest recente commit|revisie",
        ),
        (Phase, "fase|huidige fase|stap nu"),
        (Status, "status|huidige status"),
        (
            Next,
            "volgende stap|volgende stappen|volgende actie|volgende acties|volgende taak|volgende taken|wat nu|wat volgt|hierna|verder met|hier verder|begin hier|ga hier verder|volgende sessie|voor de volgende sessie|vervolgstappen|vervolg|eerste stap|eerstvolgende stap|morgen",
        ),
        (
            Todo,
            "te doen|nog te doen|resterend|resterend werk|openstaand|openstaande taken|wat nog moet|wat rest|nog niet gedaan",
        ),
        (
            Blockers,
            "blokkades|blokkade|blokkers|geblokkeerd|geblokkeerd door|belemmeringen|belemmering|obstakels|obstakel|wacht op|wachten op|in afwachting van|wat blokkeert|knelpunten",
        ),
        (Trouble, "problemen|open problemen|moeilijkheden|huidige problemen"),
        (Decisions, "beslissingen|genomen beslissingen|besluiten|genomen besluiten|besluit|besloten|keuzes"),
        (Open, "open vragen|vragen|openstaande vragen|open punten|onduidelijk|onbeslist"),
        (
            Past,
            "gedaan|klaar|afgerond|voltooid|wat is gedaan|wat er gedaan is|wijzigingen|geschiedenis|logboek|commandos|controle|bestanden|gewijzigde bestanden|opmerkingen|notities|voorbeeld|niet aanraken|later|voortgang",
        ),
        (
            Facts,
            "git stand|stand van zaken|huidige stand|huidige situatie|waar we zijn|waar we staan|waar we waren|samenvatting|overzicht|context|omgeving|metagegevens|gegevens|informatie",
        ),
    ],
};

pub(super) const INDONESIAN: Language = Language {
    order: DayFirst,
    also_plain: false,
    names: &[
        (Title, "judul"),
        (
            Saved,
            "diperbarui|diperbarui pada|terakhir diperbarui|pembaruan terakhir|terakhir diubah|disimpan|disimpan pada|dibuat dan disimpan|tanggal serah terima|waktu serah terima|ditulis|ditulis pada|tanggal sesi|per tanggal",
        ),
        (Dated, "tanggal|waktu|hari|tanggal dan waktu"),
        (Created, "dibuat|dibuat pada|tanggal dibuat|dimulai|mulai"),
        (
            Branch,
            "cabang|cabang saat ini|cabang aktif|cabang kerja|branch saat ini|branch aktif|nama cabang|nama branch|di branch",
        ),
        (
            Commit,
            "commit terakhir|commit saat ini|commit terbaru|hash commit terakhir|komit|komit terakhir|revisi",
        ),
        (Phase, "fase|tahap|fase saat ini|tahap saat ini"),
        (Status, "keadaan"),
        (
            Next,
            "langkah selanjutnya|langkah berikutnya|langkah langkah selanjutnya|langkah langkah berikutnya|langkah berikut|selanjutnya|berikutnya|tugas selanjutnya|tugas berikutnya|tindakan selanjutnya|tindakan berikutnya|aksi selanjutnya|mulai dari sini|lanjutkan dari sini|lanjutkan|sesi berikutnya|sesi selanjutnya|untuk sesi berikutnya|rencana selanjutnya|langkah pertama|besok",
        ),
        (
            Todo,
            "sisa|sisa pekerjaan|sisa tugas|belum selesai|yang belum selesai|yang tersisa|harus dikerjakan|perlu dikerjakan|tugas tersisa",
        ),
        (
            Blockers,
            "hambatan|penghambat|kendala|halangan|terhambat|terblokir|terblokir oleh|menunggu|blokir|blocker saat ini|rintangan",
        ),
        (Trouble, "masalah|masalah terbuka|kesulitan|isu|masalah saat ini"),
        (Decisions, "keputusan|keputusan yang diambil|keputusan penting|keputusan utama"),
        (Open, "pertanyaan terbuka|pertanyaan|belum jelas|perlu diperjelas|belum diputuskan"),
        (
            Past,
            "selesai|sudah selesai|yang sudah selesai|yang sudah dikerjakan|sudah dikerjakan|perubahan|riwayat|catatan perubahan|perintah|verifikasi|pengujian|berkas|catatan|referensi|contoh|jangan disentuh|nanti|kemajuan|progres",
        ),
        (
            Facts,
            "status saat ini|keadaan saat ini|kondisi saat ini|status git|repositori|posisi terakhir|ringkasan|gambaran umum|konteks|lingkungan|informasi",
        ),
    ],
};

pub(super) const ARABIC: Language = Language {
    order: DayFirst,
    also_plain: false,
    names: &[
        (Title, "العنوان"),
        (
            Saved,
            "آخر تحديث|تاريخ التحديث|تم التحديث|حفظ في|تاريخ الحفظ|وقت الحفظ|تاريخ التسليم|وقت التسليم|كتب في|تاريخ الجلسة|حتى تاريخ",
        ),
        (Dated, "التاريخ|الوقت|التاريخ والوقت|اليوم"),
        (Created, "تاريخ الإنشاء|أنشئ في|بدأ في"),
        (Branch, "الفرع|الفرع الحالي|فرع العمل|الفرع النشط|اسم الفرع|على الفرع"),
        (
            Commit,
            "آخر التزام|الالتزام الحالي|أحدث التزام|آخر كوميت|الكوميت الحالي|آخر commit|آخر إيداع|الإيداع الحالي|الكوميت|الالتزام",
        ),
        (Phase, "المرحلة|المرحلة الحالية"),
        (Status, "الحالة"),
        (
            Next,
            "الخطوات التالية|الخطوة التالية|الخطوات القادمة|الخطوة القادمة|الخطوات المقبلة|التالي|المهمة التالية|المهام التالية|الإجراء التالي|الإجراءات التالية|ماذا بعد|ابدأ هنا|تابع من هنا|أكمل من هنا|الجلسة القادمة|الجلسة التالية|غدا",
        ),
        (Todo, "المتبقي|المهام المتبقية|ما تبقى|العمل المتبقي|لم ينجز بعد|قائمة المهام"),
        (
            Blockers,
            "العوائق|عوائق|العائق|المعوقات|معوقات|العقبات|عقبات|العقبة|محظور|متوقف على|في انتظار|بانتظار|الموانع",
        ),
        (Trouble, "المشاكل|المشكلات|مشاكل|مشكلة|الصعوبات|المشاكل الحالية"),
        (Decisions, "القرارات|القرارات المتخذة|القرارات الرئيسية|قرارات|القرار"),
        (Open, "أسئلة مفتوحة|الأسئلة المفتوحة|أسئلة|الأسئلة|غير واضح"),
        (
            Past,
            "تم إنجازه|ما تم إنجازه|المنجز|مكتمل|المكتمل|تم|ما تم|التغييرات|السجل|الأوامر|الاختبارات|الملفات|ملاحظات|الملاحظات|مثال|لا تلمس|لاحقا|التقدم",
        ),
        (
            Facts,
            "الحالة الحالية|الوضع الحالي|حالة git|حالة المستودع|المستودع|أين وصلنا|أين نحن|ملخص|الملخص|نظرة عامة|السياق|البيئة|معلومات|المعلومات",
        ),
    ],
};

//! Words of dates in the languages that handoffs are written in: months, zones, what may stand between a day
//! and a time. Data only.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A month's name: in the Gregorian calendar or in Iran's Solar Hijri one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Month {
    /// 1 to 12.
    Gregorian(u32),
    /// 1 to 12, Farvardin first.
    SolarHijri(u32),
}

/// The month that a word in lower case names.
pub(super) fn month(word: &str) -> Option<Month> {
    MONTHS.get(word).copied()
}

/// Every name of a month, in both calendars.
static MONTHS: LazyLock<HashMap<&'static str, Month>> = LazyLock::new(|| {
    let mut months = HashMap::new();
    for (number, (gregorian, solar)) in (1..).zip(GREGORIAN.iter().zip(SOLAR_HIJRI)) {
        months.extend(solar.split(' ').map(|name| (name, Month::SolarHijri(number))));
        months.extend(gregorian.split(' ').map(|name| (name, Month::Gregorian(number))));
    }
    months
});

/// English, German, French, Spanish, Portuguese, Italian, Turkish, Russian and Polish (both cases), Persian,
/// Dutch, Indonesian, Arabic.
const GREGORIAN: [&str; 12] = [
    "jan january januar jänner janvier enero ene janeiro gennaio ocak январь января янв ژانویه januari styczeń stycznia يناير",
    "feb february februar février fevrier febrero fevereiro fev febbraio şubat февраль февраля фев فوریه februari luty lutego فبراير",
    "mar march märz maerz mrz mars marzo março marco mart март марта мар مارس maart mrt maret marzec marca",
    "apr april avril abril abr aprile nisan апрель апреля апр آوریل kwiecień kwietnia أبريل ابريل",
    "may mai mayo maio maggio mayıs май мая مه می mei maj maja مايو",
    "jun june juni juin junio junho giugno haziran июнь июня июн ژوئن czerwiec czerwca يونيو",
    "jul july juli juillet julio julho luglio temmuz июль июля июл ژوئیه جولای lipiec lipca يوليو",
    "aug august août aout agosto ago ağustos август августа авг اوت آگوست augustus agustus sierpień sierpnia أغسطس اغسطس",
    "sep sept september septembre septiembre setembro set settembre eylül сентябрь сентября сен сент سپتامبر wrzesień września سبتمبر",
    "oct okt october oktober octobre octubre outubro out ottobre ekim eki октябрь октября окт اکتبر październik października أكتوبر اكتوبر",
    "nov november novembre noviembre novembro kasım ноябрь ноября ноя نوامبر listopad listopada نوفمبر",
    "dec dez dic december dezember décembre decembre diciembre dezembro dicembre aralık декабрь декабря дек دسامبر desember grudzień grudnia ديسمبر",
];

const SOLAR_HIJRI: [&str; 12] = [
    "فروردین",
    "اردیبهشت",
    "خرداد",
    "تیر",
    "مرداد امرداد",
    "شهریور",
    "مهر",
    "آبان",
    "آذر",
    "دی",
    "بهمن",
    "اسفند",
];

/// Minutes east of UTC of zone names whose offset is certain all year since 2017. Names that are also used
/// in summer for another offset (CET, EST), or stand for several zones (CST, IST, BST), are not here: a time
/// in them keeps its day only.
pub(super) fn zone_minutes(name: &str) -> Option<i32> {
    Some(match name {
        "z" | "utc" | "gmt" | "etc/utc" | "etc/gmt" | "zulu" => 0,
        "jst" | "asia/tokyo" | "kst" | "asia/seoul" => 540,
        "asia/shanghai" | "asia/chongqing" | "asia/hong_kong" | "hkt" | "asia/taipei" | "asia/singapore"
        | "sgt" | "北京时间" => 480,
        "asia/ho_chi_minh" | "asia/saigon" | "asia/bangkok" | "asia/jakarta" | "wib" => 420,
        "asia/kolkata" | "asia/calcutta" => 330,
        "asia/kathmandu" => 345,
        "asia/dubai" => 240,
        "msk" | "мск" | "europe/moscow" | "trt" | "europe/istanbul" => 180,
        "cest" => 120,
        "brt" | "america/sao_paulo" | "america/argentina/buenos_aires" => -180,
        "edt" => -240,
        "cot" | "america/bogota" | "america/lima" => -300,
        "mdt" => -360,
        "pdt" => -420,
        _ => return None,
    })
}

/// Words that may stand between a day and its time.
pub(super) fn is_link(word: &str) -> bool {
    matches!(
        word,
        "t" | "at"
            | "um"
            | "à"
            | "às"
            | "as"
            | "a"
            | "las"
            | "la"
            | "в"
            | "г"
            | "года"
            | "saat"
            | "lúc"
            | "ساعت"
            | "kl"
    )
}

/// Words that may stand between the parts of a day: `5 de outubro de 2026`, `5th of October`.
pub(super) fn is_of(word: &str) -> bool {
    matches!(word, "de" | "del" | "of" | "do" | "st" | "nd" | "rd" | "th" | "º" | "er" | "năm" | "the")
}

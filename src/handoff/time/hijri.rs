//! The Solar Hijri calendar of Iran, converted exactly by its break years (Birashk's tables as Borkowski
//! published them; valid for the years 1 to 3177, which is more than handoffs need).

use chrono::{Days, NaiveDate};

const BREAKS: [i32; 20] = [
    -61, 9, 38, 199, 426, 686, 756, 818, 1111, 1181, 1210, 1635, 2060, 2097, 2192, 2262, 2324, 2394, 2456,
    3178,
];

/// The Gregorian day of a Solar Hijri date; `None` where there is no such day.
pub(super) fn to_gregorian(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    let (is_leap, march) = new_year(year)?;
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 if is_leap => 30,
        12 => 29,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let before = (month - 1) * 31 - (month.max(7) - 7) * u32::from(month > 7);
    NaiveDate::from_ymd_opt(year + 621, 3, march)?.checked_add_days(Days::new(u64::from(before + day - 1)))
}

/// Whether the year has 366 days, and the day in March on which it begins.
fn new_year(year: i32) -> Option<(bool, u32)> {
    if !(1..3178).contains(&year) {
        return None;
    }
    let mut leap_days = -14;
    let mut start = BREAKS[0];
    let mut jump = 0;
    for &next in &BREAKS[1..] {
        jump = next - start;
        if year < next {
            break;
        }
        leap_days += jump / 33 * 8 + jump % 33 / 4;
        start = next;
    }
    let mut n = year - start;
    leap_days += n / 33 * 8 + (n % 33 + 3) / 4;
    if jump % 33 == 4 && jump - n == 4 {
        leap_days += 1;
    }
    let gregorian = year + 621;
    let gregorian_leaps = gregorian / 4 - (gregorian / 100 + 1) * 3 / 4 - 150;
    let march = 20 + leap_days - gregorian_leaps;
    if jump - n < 6 {
        n = n - jump + (jump + 4) / 33 * 33;
    }
    let phase = ((n + 1) % 33 - 1) % 4;
    Some((phase == 0, u32::try_from(march).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_convert_exactly() {
        for (hijri, gregorian) in [
            ((1405, 8, 12), "2026-11-03"),
            ((1405, 1, 1), "2026-03-21"),
            ((1403, 12, 30), "2025-03-20"),
            ((1404, 1, 1), "2025-03-21"),
            ((1399, 12, 30), "2021-03-20"),
            ((1367, 7, 7), "1988-09-29"),
            ((1405, 12, 29), "2027-03-20"),
        ] {
            let (y, m, d) = hijri;
            assert_eq!(
                to_gregorian(y, m, d).map(|day| day.to_string()).as_deref(),
                Some(gregorian),
                "{hijri:?} is a known day"
            );
        }
        for (y, m, d) in [(1405, 12, 30), (1405, 7, 31), (1405, 13, 1), (1405, 1, 0), (0, 1, 1), (9999, 1, 1)]
        {
            assert_eq!(to_gregorian(y, m, d), None, "{y}-{m}-{d} is no day");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = to_gregorian(1300, 1, 1).expect("a day");
        for year in 1300..1500 {
            for month in 1..=12 {
                for day in 1..=31 {
                    let Some(next) = to_gregorian(year, month, day) else { continue };
                    if (year, month, day) != (1300, 1, 1) {
                        assert_eq!(last.succ_opt(), Some(next), "no gap before {year}-{month}-{day}");
                    }
                    last = next;
                }
            }
        }
    }
}

/* Dates and times of the Gregorian calendar, read and written. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date {
    int year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
};

struct moment {
    struct date date;
    int hour, minute, second;
    int zone; /* minutes east of Greenwich */
};

static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static int first_weekday = 1;

bool date_is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int date_days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12)
        return 0;
    return days[month - 1] + (month == 2 && date_is_leap(year));
}

bool date_is_valid(const struct date *date)
{
    return date->month >= 1 && date->month <= 12 && date->day >= 1 &&
           date->day <= date_days_in_month(date->year, date->month);
}

/* Days since the first of March of the year 0. */
long date_to_days(struct date date)
{
    long year = date.month <= 2 ? (long)date.year - 1 : date.year;
    long era = (year >= 0 ? year : year - 399) / 400;
    long of_era = year - era * 400;
    long of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
}

struct date date_from_days(long days)
{
    long era = (days >= 0 ? days : days - 146096) / 146097;
    long of_era = days - era * 146097;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * of_year + 2) / 153;
    struct date date;
    date.day = (int)(of_year - (153 * month + 2) / 5 + 1);
    date.month = (int)(month < 10 ? month + 3 : month - 9);
    date.year = (int)(year + era * 400 + (date.month <= 2));
    return date;
}

void date_set_first_weekday(int weekday)
{
    if (weekday >= 0 && weekday < 7)
        first_weekday = weekday;
}

/* 0 is the first day of the week. */
int date_weekday(struct date date)
{
    long days = date_to_days(date) + 3;
    return (int)(((days - first_weekday) % 7 + 7) % 7);
}

int date_compare(const struct date *one, const struct date *other)
{
    if (one->year != other->year)
        return one->year < other->year ? -1 : 1;
    if (one->month != other->month)
        return one->month < other->month ? -1 : 1;
    return (one->day > other->day) - (one->day < other->day);
}

void date_add_months(struct date *date, int months)
{
    int month = date->month - 1 + months, most;
    date->year += month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        date->year--;
    }
    date->month = month + 1;
    most = date_days_in_month(date->year, date->month);
    if (date->day > most)
        date->day = most;
}

static bool read_digits(const char **text, int count, int *value)
{
    *value = 0;
    while (count-- > 0) {
        if (!isdigit((unsigned char)**text))
            return false;
        *value = *value * 10 + (*(*text)++ - '0');
    }
    return true;
}

/* "2024-02-29" */
bool date_parse(const char *text, struct date *date)
{
    struct date read;
    if (!read_digits(&text, 4, &read.year) || *text++ != '-')
        return false;
    if (!read_digits(&text, 2, &read.month) || *text++ != '-')
        return false;
    if (!read_digits(&text, 2, &read.day) || *text)
        return false;
    if (!date_is_valid(&read))
        return false;
    *date = read;
    return true;
}

/* "Z", "+05:30"; what is left of the text, NULL where it is wrong. */
const char *zone_parse(const char *text, int *zone)
{
    int sign, hours, minutes;
    if (*text == 'Z') {
        *zone = 0;
        return text + 1;
    }
    if (*text != '+' && *text != '-')
        return NULL;
    sign = *text++ == '-' ? -1 : 1;
    if (!read_digits(&text, 2, &hours) || *text++ != ':' || !read_digits(&text, 2, &minutes))
        return NULL;
    if (hours > 14 || minutes > 59)
        return NULL;
    *zone = sign * (hours * 60 + minutes);
    return text;
}

int month_from_name(const char *name)
{
    for (int i = 0; i < 12; i++)
        if (!strcmp(name, month_names[i]))
            return i + 1;
    return 0;
}

/* Seconds since 1970. */
int64_t moment_to_seconds(const struct moment *moment)
{
    int64_t days = date_to_days(moment->date) - 719468;
    return days * 86400 + moment->hour * 3600 + moment->minute * 60 + moment->second - moment->zone * 60;
}

int moment_format(const struct moment *moment, char *to, size_t size)
{
    return snprintf(to, size, "%d:%02d:%02d", moment->hour, moment->minute, moment->second);
}

/* "1h30m", "45s" in seconds; -1 where it is wrong. */
int duration_parse(const char *text)
{
    int total = 0;
    if (!*text)
        return -1;
    while (*text) {
        int value = 0;
        if (!isdigit((unsigned char)*text))
            return -1;
        while (isdigit((unsigned char)*text))
            value = value * 10 + (*text++ - '0');
        switch (*text++) {
        case 'h': total += value * 3600; break;
        case 'm': total += value * 60; break;
        case 's': total += value; break;
        default: return -1;
        }
    }
    return total;
}

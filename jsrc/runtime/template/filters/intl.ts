/** The filters that are not Jinja2's: what scripts import from `awning`, under the names that templates know. */

export { date as filter_date, datetime as filter_datetime, time as filter_time } from "../../intl/dates";
export { number as filter_number, percent as filter_percent, unit as filter_unit } from "../../intl/numbers";
export { relative as filter_relative } from "../../intl/relative";
export { money as filter_money } from "../../money";

/**
 * The filters for money, numbers and dates, which Jinja2 does not have. They are the formatting functions of the module
 * `awning`, exported under the names of the filters.
 */

export { date as filter_date, datetime as filter_datetime, time as filter_time } from "../../intl/dates";
export { number as filter_number, percent as filter_percent, unit as filter_unit } from "../../intl/numbers";
export { relative as filter_relative } from "../../intl/relative";
export { money as filter_money } from "../../money";

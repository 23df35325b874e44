/**
 * The filters that Jinja2 does not have: the formatting functions of the module `awning`, exported under filter names.
 */

export { date as filter_date, datetime as filter_datetime, time as filter_time } from "../../intl/dates";
export { number as filter_number, percent as filter_percent, unit as filter_unit } from "../../intl/numbers";
export { relative as filter_relative } from "../../intl/relative";
export { money as filter_money } from "../../money";

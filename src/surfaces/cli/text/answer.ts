/** Answers for people, from their fields: a list is a table with a column for each field, an object is names and values. */
import { duration } from '../../../contracts/duration.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { type Column, counted, facts, lines, paragraph, table } from './layout.ts'
import { type Page, SIGNS, type Style } from './page.ts'
import { visible } from './visible.ts'

export interface Fields<Row> {
  /** Texts in place of a field, or of fields that the answer has not; an empty one says nothing. */
  as?: Readonly<Record<string, (row: Row) => string | undefined>>
  /** Fields that say what another says, or that are for programs. */
  without?: readonly string[]
}

interface ListWords<Row> extends Fields<Row> {
  /** Fields that come first and stay, however narrow the page is; unless it is given, that is the first one. */
  first?: readonly string[]
  /** Where there is no row. */
  none?: string
  /** `['entry', 'entries']`, for a line that counts the rows. */
  count?: readonly [one: string, many?: string]
}

const SHORT_FORMS = /\b(?:abi|api|avd|id|pss|sdk|uid|url)\b/g
/** The text of a value names these by itself. */
const UNIT = / (?:at|id|ms|path)$/

/** `versionCode` is `version code`, `modifiedAt` is `modified`. */
const wordsOf = (field: string): string =>
  visible(field)
    .replace(/(?<=[a-z\d])[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase()
    .replace(UNIT, '')
    .replace(SHORT_FORMS, word => word.toUpperCase())

const titleOf = (field: string): string => wordsOf(field).replace(/^./, letter => letter.toUpperCase())

const isTime = (field: string): boolean => /At$|^(?:at|since)$/.test(field)

export const fieldText = (page: Page, field: string, value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && isTime(field)) return page.time(value)
  if (typeof value === 'number' && field.endsWith('Ms')) return duration(value)
  if (Array.isArray(value)) return value.map(each => fieldText(page, field, each)).join(', ')
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, each]) => `${name}=${fieldText(page, name, each)}`)
    .join(' ')
}

const valueAt = (row: object, field: string): unknown => (row as Readonly<Record<string, unknown>>)[field]

const textIn = <Row extends object>(page: Page, row: Row, field: string, { as = {} }: Fields<Row>): string => {
  const say = Object.hasOwn(as, field) ? as[field] : undefined
  return say ? (say(row) ?? '') : fieldText(page, field, valueAt(row, field))
}

/** In the order of the answer; fields that only `as` has come last. */
const fieldsOf = <Row extends object>(rows: readonly Row[], { as = {}, without = [] }: Fields<Row>): string[] =>
  [...new Set([...rows.flatMap(row => Object.keys(row)), ...Object.keys(as)])].filter(field => !without.includes(field))

const STYLE_OF: Readonly<Record<string, Style>> = {
  [SIGNS.ok]: 'green',
  [SIGNS.failed]: 'red',
  [SIGNS.warning]: 'yellow',
}

/** A column of several words is not made shorter than this before the last column is left out. */
const SHORTEST = 16

const columnOf = <Row extends object>(
  page: Page,
  rows: readonly Row[],
  words: Fields<Row>,
  { field, at, stays }: { field: string; at: number; stays: boolean },
): Column<Row> => {
  const isOurs = words.as !== undefined && Object.hasOwn(words.as, field)
  const isNumber = !isOurs && !isTime(field) && rows.every(row => typeof (valueAt(row, field) ?? 0) === 'number')
  return {
    title: wordsOf(field),
    cell: row => textIn(page, row, field, words),
    // The signs of a device or a file are no words of ours.
    ...(isOurs ? { style: row => STYLE_OF[textIn(page, row, field, words).charAt(0)] } : {}),
    ...(isNumber ? { align: 'right' } : {}),
    ...(stays && !isOurs ? {} : { atLeast: SHORTEST }),
    ...(stays ? {} : { leaveOut: at }),
  }
}

/** Where the page is narrow, the last columns go first. */
export const listText = <Row extends object>(page: Page, rows: readonly Row[], words: ListWords<Row> = {}): string => {
  if (rows.length === 0) return paragraph(page, words.none ?? '')
  const all = fieldsOf(rows, words)
  const { first = all.slice(0, 1) } = words
  const fields = [...new Set([...first, ...all])]
  const columns = fields.map((field, at) => columnOf(page, rows, words, { field, at, stays: first.includes(field) }))
  return lines(table(page, columns, rows), words.count && counted(rows.length, ...words.count))
}

const isRows = (value: unknown): value is readonly object[] => Array.isArray(value) && value.some(isObject)

/** Names and values, with the lists of the answer as tables below them. */
export const fieldsText = <Row extends object>(page: Page, row: Row, words: Fields<Row> = {}): string => {
  const fields = fieldsOf([row], words)
  const isTable = (field: string) => !Object.hasOwn(words.as ?? {}, field) && isRows(valueAt(row, field))
  const tables = fields.filter(isTable).map(field => {
    const rows = valueAt(row, field) as readonly object[]
    return lines(`  ${page.paint('dim', `${titleOf(field)} (${rows.length})`)}`, listText(page, rows))
  })
  const pairs = fields
    .filter(field => !isTable(field))
    .map(field => [titleOf(field), textIn(page, row, field, words)] as const)
  return lines(facts(page, pairs, 2), ...tables)
}

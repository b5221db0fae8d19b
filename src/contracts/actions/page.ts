/** Actions in the pages of web views, over their inspector: read_page, change_page, page_script. */
import * as v from 'valibot'
import { PageApplication, PageFrames, PageHandle, PageId, PageLabel } from '../device/page-element.ts'
import { closedObject } from '../json/objects.ts'
import { integer, text } from '../json/scalars.ts'
import {
  PAGE_FOUND,
  PAGE_FRAME_INDEX_MAX,
  PAGE_SCRIPT_CHARS_MAX,
  PAGE_SCRIPT_MS,
  PAGE_VALUE_CHARS_MAX,
} from '../limits/page-limits.ts'
import { action } from './shape.ts'

/** How `find` looks for elements. */
export const PAGE_LOCATORS = [
  'css selector',
  'xpath',
  'link text',
  'partial link text',
  'tag name',
  'class name',
  'id',
  'name',
] as const
export type PageLocator = (typeof PAGE_LOCATORS)[number]

export const PAGE_READS = [
  'pages',
  'state',
  'source',
  'find',
  'active',
  'frame',
  'text',
  'tag',
  'attribute',
  'property',
  'style',
  'rect',
  'displayed',
  'enabled',
  'selected',
  'field',
] as const
export type PageRead = (typeof PAGE_READS)[number]

/** `clear` and `choose` are about an element: a field, and an option of a list. */
export const PAGE_CHANGES = ['navigate', 'back', 'forward', 'reload', 'clear', 'choose'] as const

/** An address with a scheme. The one that would run a script in the page is refused. */
const ADDRESS = /^(?![jJ][aA][vV][aA][sS][cC][rR][iI][pP][tT]:)[a-zA-Z][a-zA-Z0-9+.-]*:[^\s\p{Cc}\p{Cs}]*$/u
export const PageAddress = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(PAGE_VALUE_CHARS_MAX),
  v.regex(ADDRESS, 'must be an address with a scheme such as https:, with %20 for blanks, and not javascript:'),
)

const element = v.exactOptional(PageHandle)
const frames = v.exactOptional(PageFrames)
const place = { applicationId: PageApplication, page: PageId, frames }

export const PAGE_ACTIONS = [
  action(
    'read_page',
    closedObject({
      /** `pages` lists those of all applications without it. */
      applicationId: v.exactOptional(PageApplication),
      /** Left out for `pages` alone. */
      page: v.exactOptional(PageId),
      frames,
      read: v.picklist(PAGE_READS),
      /** The element that is read; for `find`, the one to look in; for `frame`, the frame. */
      element,
      by: v.exactOptional(v.picklist(PAGE_LOCATORS)),
      /** The selector, or the name of the attribute, the property or the style. */
      value: v.exactOptional(text(1, PAGE_VALUE_CHARS_MAX)),
      /** A frame by its position. */
      index: v.exactOptional(integer({ min: 0, max: PAGE_FRAME_INDEX_MAX })),
      /** So many elements at most; more that match are an error. */
      most: v.exactOptional(integer(PAGE_FOUND)),
    }),
  ),
  action(
    'change_page',
    closedObject({
      ...place,
      change: v.picklist(PAGE_CHANGES),
      element,
      label: v.exactOptional(PageLabel),
      /** Where `navigate` goes. */
      uri: v.exactOptional(PageAddress),
    }),
  ),
  action(
    'page_script',
    closedObject({
      ...place,
      /** The body of a function. */
      script: text(0, PAGE_SCRIPT_CHARS_MAX),
      /** A JSON array as a text; `{"element-6066-11e4-a52e-4f735466cecf": "<handle>"}` in it is an element. */
      args: v.exactOptional(text(2, PAGE_SCRIPT_CHARS_MAX), '[]'),
      /** The script calls its last argument with its result. */
      isAsync: v.exactOptional(v.boolean(), false),
      timeoutMs: v.exactOptional(integer(PAGE_SCRIPT_MS), PAGE_SCRIPT_MS.default),
    }),
  ),
] as const

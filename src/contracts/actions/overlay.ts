/** Actions that show something over the screen. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { integer, logText, visibleText } from '../json/scalars.ts'
import {
  OVERLAY_FONT_SP,
  OVERLAY_OFFSET_DP,
  OVERLAY_TEXT_CHARS_MAX,
  OVERLAY_TTL_MS,
  OVERLAY_WIDTH_DP,
} from '../limits/limits.ts'
import { action, NoParams } from './shape.ts'

const Side = v.picklist(['left', 'right'])

export const Colour = v.pipe(
  v.string(),
  v.regex(/^#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, 'must be a colour as #RRGGBB or #AARRGGBB'),
)

export const OVERLAY_ACTIONS = [
  action(
    'show_toast',
    closedObject({
      text: visibleText(OVERLAY_TEXT_CHARS_MAX),
      duration: v.exactOptional(v.picklist(['short', 'long']), 'short'),
    }),
  ),
  action('cancel_toast', v.exactOptional(NoParams)),
  action(
    'set_on_screen_log',
    v.pipe(
      closedObject({
        text: v.exactOptional(logText(OVERLAY_TEXT_CHARS_MAX)),
        template: v.exactOptional(logText(OVERLAY_TEXT_CHARS_MAX)),
        anchor: v.exactOptional(Side, 'left'),
        textAlign: v.exactOptional(Side, 'left'),
        topOffsetDp: v.exactOptional(integer(OVERLAY_OFFSET_DP), OVERLAY_OFFSET_DP.default),
        edgeOffsetDp: v.exactOptional(integer(OVERLAY_OFFSET_DP), OVERLAY_OFFSET_DP.default),
        widthDp: v.exactOptional(integer(OVERLAY_WIDTH_DP), OVERLAY_WIDTH_DP.default),
        fontSizeSp: v.exactOptional(integer(OVERLAY_FONT_SP), OVERLAY_FONT_SP.default),
        textColor: v.exactOptional(Colour, '#FFFFFFFF'),
        backgroundColor: v.exactOptional(Colour, '#B3000000'),
        ttlMs: v.exactOptional(integer(OVERLAY_TTL_MS), OVERLAY_TTL_MS.default),
      }),
      v.check(
        params => (params.text === undefined) !== (params.template === undefined),
        'exactly one of text and template is needed',
      ),
      v.metadata({ oneOf: [{ required: ['text'] }, { required: ['template'] }] }),
    ),
  ),
  action('clear_on_screen_log', v.exactOptional(NoParams)),
] as const

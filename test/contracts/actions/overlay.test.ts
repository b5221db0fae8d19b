import { actionTable } from './table.ts'

const settings = {
  anchor: 'left',
  textAlign: 'left',
  topOffsetDp: 8,
  edgeOffsetDp: 8,
  widthDp: 280,
  fontSizeSp: 12,
  textColor: '#FFFFFFFF',
  backgroundColor: '#B3000000',
  ttlMs: 300_000,
}
const CONTROLS = ['\u0001', '\u0007', '\u0008', '\u000b', '\u000d', '\u001b', '\u001f', '\u007f', '\u0085', '\u009f']

actionTable(
  {
    type: 'show_toast',
    least: { text: 'Hi' },
    filled: { text: 'Hi', duration: 'short' },
    required: ['text'],
    texts: { text: [1, 2_048] },
    choices: { duration: ['short', 'long'] },
    rejected: [
      [{ text: ' \n\t' }, 'params.text'],
      [{ template: '{{device.model}}' }, 'params.template'],
    ],
  },
  { type: 'cancel_toast', least: null, filled: null },
  {
    type: 'set_on_screen_log',
    least: { text: 'Running' },
    filled: { text: 'Running', ...settings },
    texts: { text: [1, 2_048] },
    choices: { anchor: ['left', 'right'], textAlign: ['left', 'right'] },
    integers: {
      topOffsetDp: [0, 1_000],
      edgeOffsetDp: [0, 1_000],
      widthDp: [80, 600],
      fontSizeSp: [8, 24],
      ttlMs: [1_000, 3_600_000],
    },
    accepted: [
      { text: 'line\n\tindented' },
      { text: 'ok', textColor: '#00ff7F', backgroundColor: '#80ABCDEF' },
      { template: 'on {{device.model}}' },
      { template: '{{{{not a placeholder}}}}' },
      { template: 'x'.repeat(2_048) },
    ],
    rejected: [
      [{}, 'params'],
      [{ text: 'a', template: 'b' }, 'params'],
      [{ text: ' \n\t ' }, 'params.text'],
      [{ template: '   ' }, 'params.template'],
      [{ template: '' }, 'params.template'],
      [{ template: 'x'.repeat(2_049) }, 'params.template'],
      ...CONTROLS.flatMap(c => [
        [{ text: `a${c}b` }, 'params.text'] as [unknown, string],
        [{ template: `a${c}b` }, 'params.template'] as [unknown, string],
      ]),
      ...['FFFFFF', '#FFF', '#FFFFF', '#FFFFFFF', '#FFFFFFFFF', '#GGGGGG', ' #FFFFFF', '#FFFFFF\n', 'red', 1].flatMap(
        c => [
          [{ text: 'a', textColor: c }, 'params.textColor'] as [unknown, string],
          [{ text: 'a', backgroundColor: c }, 'params.backgroundColor'] as [unknown, string],
        ],
      ),
    ],
  },
  { type: 'clear_on_screen_log', least: null, filled: null },
)

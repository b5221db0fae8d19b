import { actionTable } from './table.ts'

const NO_END = Number.POSITIVE_INFINITY

actionTable(
  {
    type: 'open_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', skipNavigationWait: false, navigationTimeoutMs: 15_000 },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['skipNavigationWait'],
    integers: { navigationTimeoutMs: [1_000, 120_000] },
    rejected: [
      [{ applicationId: ' \t' }, 'params.applicationId'],
      [{ package: 'com.example' }, 'params.package'],
    ],
  },
  {
    type: 'open_uri',
    least: { uri: 'https://example.com/?q=1' },
    filled: { uri: 'https://example.com/?q=1' },
    required: ['uri'],
    texts: { uri: [1, 2_048] },
    rejected: [[{ uri: '  ' }, 'params.uri']],
  },
  {
    type: 'close_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example' },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    rejected: [[{ applicationId: '\n' }, 'params.applicationId']],
  },
  {
    type: 'uninstall_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', keepData: false },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['keepData'],
    rejected: [[{ applicationId: ' ' }, 'params.applicationId']],
  },
  {
    type: 'clear_app',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example' },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    rejected: [[{ applicationId: 'com.example', keepData: true }, 'params.keepData']],
  },
  {
    type: 'measure_startup',
    least: { applicationId: 'com.example' },
    filled: { applicationId: 'com.example', runs: 5, stopFirst: true },
    required: ['applicationId'],
    texts: { applicationId: [1, NO_END] },
    booleans: ['stopFirst'],
    rejected: [
      [{ applicationId: 'com.example', runs: 0 }, 'params.runs'],
      [{ applicationId: 'com.example', runs: 21 }, 'params.runs'],
    ],
  },
)

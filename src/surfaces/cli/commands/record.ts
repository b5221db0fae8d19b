/** `svc record`: the screen of a device as a video. */
import type { Command } from '../command.ts'

const PRINTS = 'Prints {"recording": {recordingId, state, startedAt, segments, bytes, folder, ...}}'

const start: Command = {
  path: ['record', 'start'],
  text: async () => (await import('../devices/record.ts')).recordingText,
  summary: 'record the screen until it is stopped',
  details:
    `${PRINTS} once the device records. The daemon records, and is\n` +
    'started for it; commands go on as ever meanwhile. With --no-daemon this command records until a signal comes or the\n' +
    'time is over, and prints the recording when it is saved. A recording that nobody stops ends after 4 hours.',
  flags: [
    { name: 'for', value: 's', summary: 'stop after so many seconds' },
    { name: 'bit-rate', value: 'n', summary: 'bits in a second, such as 4M (the default)' },
    { name: 'size', value: 'WxH', summary: 'the size of the video, such as 720x1280' },
  ],
  uses: ['device', 'lease', 'no-daemon'],
  examples: ['svc record start', 'svc record start --for 60 --size 720x1280', 'svc record start --no-daemon --for 10'],
  run: async call => (await import('../devices/record.ts')).startRecording(call),
}

const stop: Command = {
  path: ['record', 'stop'],
  text: async () => (await import('../devices/record.ts')).recordingText,
  summary: 'stop the recording, and fetch what is left of it',
  details: `${PRINTS} once all segments are on the host.\nRECORDING_NOT_RUNNING if the screen is not being recorded. A recording that began under a\nreservation is stopped with its --lease only, as long as the reservation lasts.`,
  uses: ['device', 'lease'],
  examples: ['svc record stop', 'svc record stop --device emulator-5554'],
  run: async call => (await import('../devices/record.ts')).stopRecording(call),
}

const status: Command = {
  path: ['record', 'status'],
  text: async () => (await import('../devices/record.ts')).recordingText,
  summary: 'show the recording that is being made, or the last one',
  details: `${PRINTS}; recording is null where there was none.`,
  uses: ['device'],
  examples: ['svc record status', 'svc record status --output text'],
  run: async call => (await import('../devices/record.ts')).showRecording(call),
}

export const record: readonly Command[] = [start, stop, status]

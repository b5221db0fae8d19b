/** `svc emulators ...`: AVDs and emulators, with the same shapes as the HTTP routes. */
import type { Command, Flag } from '../command.ts'

const NAME = { name: 'name', summary: 'the name of the AVD: letters, digits, ".", "_" and "-"' } as const
const STORAGE: Flag = {
  name: 'storage-size',
  value: 'size',
  summary: 'disk of a new AVD in whole gigabytes, such as 12G (the default) or 16GB',
}
const ABI: Flag = {
  name: 'abi',
  value: 'abi',
  summary: "ABI of the AVD (default arm64-v8a, or this host's own where it does not run that)",
}
const START: readonly Flag[] = [
  { name: 'wipe', summary: 'erase the user data of the AVD before it starts; it is kept otherwise' },
  { name: 'no-window', summary: 'start without a window, for hosts without a display' },
]

const TEXTS = {
  list: 'avdsText',
  running: 'runningEmulatorsText',
  get: 'avdText',
  create: 'avdCreatedText',
  start: 'emulatorReadyText',
  stop: 'emulatorStoppedText',
  delete: 'emulatorDeletedText',
  provision: 'emulatorReadyText',
} as const

const commandOf = (name: keyof typeof TEXTS, rest: Omit<Command, 'path' | 'run'>): Command => ({
  path: ['emulators', name],
  text: async () => (await import('../devices/emulators.ts'))[TEXTS[name]],
  ...rest,
  run: async call => (await import('../devices/emulators.ts'))[name](call),
})

export const emulators: readonly Command[] = [
  commandOf('list', {
    summary: 'list the AVDs, and which of them run',
    details:
      'Prints {ok, avds: [{name, exists, running, apiLevel, abi, playStore, deviceProfile, systemImage, supported,\n' +
      'unsupportedReasons}]}. What an AVD does not say is null. Supported is a Pixel 7 with API level 35, the Play Store and\n' +
      'an image of an ABI that this host runs. Fails with ANDROID_SDK_TOOL_MISSING without the Android SDK.',
    examples: ['svc emulators list', 'svc emulators list --output pretty'],
  }),
  commandOf('running', {
    summary: 'list the emulators that run',
    details:
      'Prints {ok, devices: [{type, avdName, serial, booted, supported, unsupportedReasons}]}. An emulator that does not\n' +
      'answer within 3 s is listed with booted false, and with an empty avdName if nothing else tells its name.',
    examples: ['svc emulators running'],
  }),
  commandOf('get', {
    summary: 'show one AVD',
    details: 'Prints {ok, name, exists, running, ...} as in svc emulators list; exists is false for an unknown AVD.',
    args: [{ ...NAME, required: true, kind: 'avd' }],
    examples: ['svc emulators get svc-pixel-12gb'],
  }),
  commandOf('create', {
    summary: 'make an AVD, and install its system image if it is missing',
    details:
      'Prints {ok, name, exists, running, ...}. Without a name it is svc-pixel-<N>gb, N from the storage size. Accepts the\n' +
      'licences of the image. An AVD that exists is never overwritten (EMULATOR_ALREADY_EXISTS); a failed create leaves\n' +
      'nothing behind. Limits: 300 s for the image, 120 s for the AVD.',
    args: [NAME],
    flags: [
      { name: 'api-level', value: 'level', summary: 'Android API level (default 35)' },
      ABI,
      { name: 'device-profile', value: 'id', summary: 'hardware profile (default pixel_7)' },
      { name: 'no-play-store', summary: 'use the image without the Play Store; the AVD then counts as unsupported' },
      STORAGE,
    ],
    examples: ['svc emulators create', 'svc emulators create ci-phone --abi x86_64 --storage-size 16G'],
  }),
  commandOf('start', {
    summary: 'start an AVD and wait until it has booted',
    details:
      'Prints {ok, type, avdName, serial, booted}. Enables the developer settings. The emulator goes on when this command is\n' +
      'interrupted; the next start joins it. A start that fails ends the emulator (EMULATOR_START_FAILED, with the end of\n' +
      'its log in details.output; an ABI that this host does not run is named). Limits: 60 s until adb lists it, 180 s until it has booted.',
    args: [{ ...NAME, required: true, kind: 'avd' }],
    flags: START,
    examples: ['svc emulators start svc-pixel-12gb', 'svc emulators start ci-phone --no-window --wipe'],
  }),
  commandOf('stop', {
    summary: 'end a running emulator and wait until it is gone',
    details: 'Prints {ok, avdName, stopped}. Fails with EMULATOR_STOP_FAILED if it still runs after 30 s.',
    args: [{ ...NAME, required: true, kind: 'avd' }],
    examples: ['svc emulators stop svc-pixel-12gb'],
  }),
  commandOf('delete', {
    summary: 'delete an AVD that does not run, with its data',
    details: 'Prints {ok, avdName, deleted}. Fails with EMULATOR_ALREADY_RUNNING while it runs.',
    args: [{ ...NAME, required: true, kind: 'avd' }],
    examples: ['svc emulators delete svc-pixel-12gb'],
  }),
  commandOf('provision', {
    summary: 'bring up a supported emulator: a running one, an existing AVD, or a new one',
    details:
      'Prints {ok, type, avdName, serial, booted, created, started, reused}. Prefers the AVD svc-pixel-<N>gb, then the\n' +
      'alphabetical order, and with --abi takes only an AVD of that ABI. --storage-size counts only when an AVD is made,\n' +
      '--wipe and --no-window only when one is started. Two calls at once end with one emulator.',
    flags: [STORAGE, ABI, ...START],
    examples: ['svc emulators provision', 'svc emulators provision --no-window'],
  }),
]

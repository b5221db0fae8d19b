/** `svc files`: the files of a device. */
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, type FlatFlag, flatPayload } from '../flat/command.ts'

const APP_FLAG: FlatFlag = {
  name: 'app',
  value: 'package',
  summary: 'act as this application, which must be debuggable; paths begin in its folder',
  param: 'applicationId',
}

const list: Command = {
  path: ['files', 'list'],
  text: async () => (await import('../devices/files.ts')).filesText,
  summary: 'list a folder of a device',
  details:
    'Prints {"files": [{"name", "kind", "bytes", "mode", "modifiedAt"}], "count"}, sorted by name. The kind is file, folder,\n' +
    'link, fifo, socket or device; modifiedAt is in milliseconds since the epoch. A single file is listed by itself.',
  args: [{ name: 'path', summary: '/sdcard/Download', required: true }],
  flags: [APP_FLAG],
  uses: ['device'],
  examples: ['svc files list /sdcard/Download', 'svc files list files --app com.example.notes --output text'],
  run: async call => (await import('../devices/files.ts')).listFiles(call),
}

const push: FlatCommand = {
  type: 'push_file',
  path: ['files', 'push'],
  shape: 'svc files push <from> <to> [--app <package>] [--keep]',
  summary: 'send a file or a folder to a device',
  details:
    'Into a folder that is there it goes under its own name, else it gets the path that is named. A file that is there is\n' +
    'replaced; a folder that is there keeps what only it has. Nothing is replaced before all has arrived and was compared.',
  args: [
    { name: 'from', summary: 'a file or a folder of this machine', required: true, param: 'from' },
    { name: 'to', summary: '/sdcard/Download/', required: true, param: 'to' },
  ],
  flags: [APP_FLAG, { name: 'keep', summary: 'fail if it is there already, instead of replacing it' }],
  examples: [
    'svc files push photo.jpg /sdcard/Pictures/',
    'svc files push ./fixtures /sdcard/Download/fixtures',
    'svc files push notes.db databases/notes.db --app com.example.notes',
  ],
  params: call => ({ overwrite: call.isOn('keep') ? false : undefined }),
}

const pull: FlatCommand = {
  type: 'pull_file',
  path: ['files', 'pull'],
  shape: 'svc files pull <from> [<to>] [--app <package>] [--overwrite]',
  summary: 'fetch a file or a folder from a device',
  details:
    'Into a folder that is there it goes under its own name, else it gets the path that is named. A file that is there is\n' +
    'only replaced with --overwrite, and not before all has arrived and was compared.',
  args: [
    { name: 'from', summary: '/sdcard/Download/report.pdf', required: true, param: 'from' },
    { name: 'to', summary: 'a path of this machine (default: the current folder)' },
  ],
  flags: [APP_FLAG, { name: 'overwrite', summary: 'replace what is there', param: 'overwrite' }],
  examples: [
    'svc files pull /sdcard/Download/report.pdf',
    'svc files pull databases/notes.db notes.db --app com.example.notes --overwrite',
  ],
  params: ({ args: [, to = '.'] }) => ({ to }),
}

const remove: FlatCommand = {
  type: 'remove_file',
  path: ['files', 'remove'],
  shape: 'svc files remove <path> [--app <package>] [--recursive]',
  summary: 'remove a file or a folder of a device',
  details: 'Folders that the device itself needs, such as /sdcard, are not removed.',
  args: [{ name: 'path', summary: '/sdcard/Download/report.pdf', required: true, param: 'path' }],
  flags: [APP_FLAG, { name: 'recursive', summary: 'remove a folder with all that is in it', param: 'recursive' }],
  examples: ['svc files remove /sdcard/Download/report.pdf', 'svc files remove /sdcard/Download/fixtures --recursive'],
}

/** Paths of this machine are made absolute here: a daemon works in another folder. */
const transferOf = (flat: FlatCommand): Command => ({
  ...commandOf(flat),
  run: async call => {
    const payload = flatPayload(flat, call, { now: call.clock.now() })
    return (await import('../devices/files.ts')).transfer(payload, call)
  },
})

export const FILES: readonly Command[] = [list, transferOf(push), transferOf(pull), commandOf(remove)]

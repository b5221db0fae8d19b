/** `svc files`: the files of a device. */
import { pullAction, pushAction, removeFileAction } from '../../../service/executions/actions/file-actions.ts'
import type { Command, Flag, Given } from '../command.ts'
import { executionTimeout } from '../flags/flag-values.ts'
import { commandOf, type FlatCommand, flatPayload, switched } from '../flat/command.ts'

const APP_FLAG: Flag = {
  name: 'app',
  value: 'package',
  summary: 'act as this application, which must be debuggable; paths begin in its folder',
}

const list: Command = {
  path: ['files', 'list'],
  text: 'files',
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

/** Undefined for a switch that is off, so that the default of the action stands. */
const overwriting = (call: Given, flag: string, value: boolean): boolean | undefined =>
  call.isOn(flag) ? value : undefined

const push: FlatCommand = {
  path: ['files', 'push'],
  shape: 'svc files push <from> <to> [--app <package>] [--keep]',
  summary: 'send a file or a folder to a device',
  details:
    'Into a folder that is there it goes under its own name, else it gets the path that is named. A file that is there is\n' +
    'replaced; a folder that is there keeps what only it has. Nothing is replaced before all has arrived and was compared.',
  args: [
    { name: 'from', summary: 'a file or a folder of this machine', required: true },
    { name: 'to', summary: '/sdcard/Download/', required: true },
  ],
  flags: [APP_FLAG, { name: 'keep', summary: 'fail if it is there already, instead of replacing it' }],
  examples: [
    'svc files push photo.jpg /sdcard/Pictures/',
    'svc files push ./fixtures /sdcard/Download/fixtures',
    'svc files push notes.db databases/notes.db --app com.example.notes',
  ],
  draft: call => {
    const [from = '', to = ''] = call.args
    const overwrite = overwriting(call, 'keep', false)
    return withTimeout(pushAction({ from, to, applicationId: call.text('app'), overwrite }), call)
  },
}

const pull: FlatCommand = {
  path: ['files', 'pull'],
  shape: 'svc files pull <from> [<to>] [--app <package>] [--overwrite]',
  summary: 'fetch a file or a folder from a device',
  details:
    'Into a folder that is there it goes under its own name, else it gets the path that is named. A file that is there is\n' +
    'only replaced with --overwrite, and not before all has arrived and was compared.',
  args: [
    { name: 'from', summary: '/sdcard/Download/report.pdf', required: true },
    { name: 'to', summary: 'a path of this machine (default: the current folder)' },
  ],
  flags: [APP_FLAG, { name: 'overwrite', summary: 'replace what is there' }],
  examples: [
    'svc files pull /sdcard/Download/report.pdf',
    'svc files pull databases/notes.db notes.db --app com.example.notes --overwrite',
  ],
  draft: call => {
    const [from = '', to = '.'] = call.args
    const overwrite = overwriting(call, 'overwrite', true)
    return withTimeout(pullAction({ from, to, applicationId: call.text('app'), overwrite }), call)
  },
}

const remove: FlatCommand = {
  path: ['files', 'remove'],
  shape: 'svc files remove <path> [--app <package>] [--recursive]',
  summary: 'remove a file or a folder of a device',
  details: 'Folders that the device itself needs, such as /sdcard, are not removed.',
  args: [{ name: 'path', summary: '/sdcard/Download/report.pdf', required: true }],
  flags: [APP_FLAG, { name: 'recursive', summary: 'remove a folder with all that is in it' }],
  examples: ['svc files remove /sdcard/Download/report.pdf', 'svc files remove /sdcard/Download/fixtures --recursive'],
  draft: call => {
    const [path = ''] = call.args
    return removeFileAction({ path, applicationId: call.text('app'), recursive: switched(call, 'recursive') })
  },
}

const withTimeout = <D extends { timeoutMs?: number | undefined }>(draft: D, call: Given): D => ({
  ...draft,
  timeoutMs: executionTimeout(call) ?? draft.timeoutMs,
})

/** Paths of this machine are made absolute here: a daemon works in another folder. */
const transferOf = (flat: FlatCommand): Command => ({
  ...commandOf(flat),
  run: async call => {
    const payload = flatPayload(flat, call, { now: call.clock.now() })
    return (await import('../devices/files.ts')).transfer(payload, call)
  },
})

export const FILES: readonly Command[] = [list, transferOf(push), transferOf(pull), commandOf(remove)]

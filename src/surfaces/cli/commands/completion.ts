/** `svc completion`: short scripts by which shells ask `svc __complete` what can come next. */

import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { type Command, usage } from '../command.ts'
import { FILES, SCRIPTS, SHELLS } from '../completion/shell-scripts.ts'

const script: Command = {
  path: ['completion'],
  text: async () => (await import('../install/run.ts')).installedText,
  summary: 'print the completion script of a shell, or install it',
  details:
    'Completes commands, flags and what is known at the moment: labels and refs of the last known screen, executions,\n' +
    'skills, devices, AVDs. It asks no device and starts nothing.\n' +
    'With --install: for bash and zsh, writes the script to ~/.svc/completion and one marked block to ~/.bashrc or .zshrc\n' +
    '(ZDOTDIR); for fish, writes ~/.config/fish/completions/svc.fish. A start file that is a link is left alone, and the\n' +
    'line to add is printed. Prints {ok, version, wrote, ..., message}. svc uninstall takes it out again.',
  args: [{ name: SHELLS.join('|'), summary: 'which shell', required: true, values: SHELLS }],
  flags: [
    { name: 'install', summary: 'install the script for this user' },
    { name: 'dry-run', summary: 'with --install: print what would be done, and do nothing' },
  ],
  examples: [
    'source <(svc completion bash)',
    'source <(svc completion zsh)',
    'svc completion fish | source',
    'svc completion bash --install',
  ],
  async run(call) {
    const [word = ''] = call.args
    const shell = SHELLS.find(known => known === word)
    if (!shell) throw usage(`"${word}" is not one of ${SHELLS.join(', ')}.${didYouMean(word, SHELLS)}`)
    if (call.isOn('install')) {
      return (await import('../install/run.ts')).installCompletion(call, shell, SCRIPTS[shell])
    }
    if (call.isOn('dry-run')) throw usage('--dry-run is for --install.')
    await call.io.print(SCRIPTS[shell])
    return { ok: true }
  },
}

const complete: Command = {
  path: ['__complete'],
  text: 'unchanged',
  internal: true,
  summary: 'print what can come after these words, for the completion of a shell',
  args: [{ name: 'word', summary: 'the words after svc; the last one is being written', rest: true }],
  hasNoResult: true,
  examples: ["svc __complete -- devices --output ''"],
  async run(call) {
    const { args, commands, io } = call
    const { candidatesFor } = await import('../flags/candidates.ts')
    const { liveValues } = await import('../completion/live-values.ts')
    const { words, files } = await candidatesFor({ words: args, commands: await commands(), live: liveValues(call) })
    const lines = [...words.map(({ word, summary }) => `${word}\t${summary}`), ...(files ? [FILES] : [])]
    await io.print(lines.join('\n'))
    return { ok: true }
  },
}

export const completion: readonly Command[] = [script, complete]

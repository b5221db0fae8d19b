/** `svc completion`: scripts for shells, made from the same data as the help. */
import { type Command, usage } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const scriptOf = async (shell: (typeof SHELLS)[number], commands: readonly Command[]): Promise<string> => {
  const { commandWords } = await import('../completion/words.ts')
  const words = commandWords(commands)
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.ts')).bashCompletion(words)
    case 'zsh':
      return (await import('../completion/zsh.ts')).zshCompletion(words)
    case 'fish':
      return (await import('../completion/fish.ts')).fishCompletion(words)
  }
}

export const completion: Command = {
  path: ['completion'],
  summary: 'print the completion script of a shell',
  args: [{ name: SHELLS.join('|'), summary: 'which shell', required: true, values: SHELLS }],
  examples: ['source <(svc completion bash)', 'source <(svc completion zsh)', 'svc completion fish | source'],
  async run({ args, commands, io }) {
    const [given = ''] = args
    const shell = SHELLS.find(known => known === given)
    if (!shell) throw usage(`"${given}" is not ${SHELLS.join(', ')}.${didYouMean(given, SHELLS)}`)
    await io.print(await scriptOf(shell, await commands()))
    return { ok: true }
  },
}

/** `ime`: which keyboards there are, and which of them types. */
import { type Command, type Context, fail } from '../command.ts'

const FAILED_CODE = 255

const list: Command = async ({ args, phone, out }) => {
  const { keyboards } = phone.helpers ?? {}
  const ids = (args.includes('-a') ? keyboards?.all() : keyboards?.enabled()) ?? []
  return out(ids.map(id => (args.includes('-s') ? `${id}\n` : `${id}:\n  mId=${id}\n`)).join(''))
}

const change =
  (on: boolean): Command =>
  async context => {
    const id = context.args.at(-1) ?? ''
    if (!context.phone.helpers?.keyboards.setEnabled(id, on)) {
      return fail(
        context,
        `Unknown input method ${id} cannot be ${on ? 'enabled' : 'disabled'} for user #0`,
        FAILED_CODE,
      )
    }
    return context.out(`Input method ${id}: now ${on ? 'enabled' : 'disabled'} for user #0\n`)
  }

const select: Command = async context => {
  const id = context.args.at(-1) ?? ''
  if (!context.phone.helpers?.keyboards.select(id)) {
    return fail(context, `Unknown input method ${id} cannot be selected for user #0`, FAILED_CODE)
  }
  return context.out(`Input method ${id} selected for user #0\n`)
}

const SUBCOMMANDS: Readonly<Record<string, Command>> = {
  list,
  enable: change(true),
  disable: change(false),
  set: select,
}

export const ime: Command = (context: Context) => {
  const [name = '', ...args] = context.args
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  return subcommand ? subcommand({ ...context, args }) : fail(context, `Unknown command: ${name}`, FAILED_CODE)
}

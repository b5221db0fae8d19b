/** `run-as`: runs a command as an application that can be debugged, in the folder of its data. */
import { quote } from '../../../runtime/text/quote.ts'
import { appFolder } from '../../file-access.ts'
import { type Command, fail } from '../command.ts'
import { copyScope } from '../scope.ts'
import { packageEntry } from './package-queries.ts'

/** Every application that did not come with the phone counts as one that can be debugged. */
export const runAs: Command = async context => {
  const { args, phone, scope } = context
  const [packageName = '', ...rest] = args
  const words = rest[0] === '--user' ? rest.slice(2) : rest
  if (packageName === '')
    return fail(context, 'run-as: usage: run-as <package-name> [--user <uid>] [<command> [<args>]]')
  if (!phone.packages().includes(packageName)) return fail(context, `run-as: unknown package: ${packageName}`)
  if (packageEntry(phone, packageName).isSystem) return fail(context, `run-as: package not debuggable: ${packageName}`)
  phone.files.mkdir(appFolder(packageName))
  const line = words.length === 0 ? 'sh' : words.map(quote).join(' ')
  return context.run(line, { ...copyScope(scope), cwd: appFolder(packageName), runAs: packageName })
}

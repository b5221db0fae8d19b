/** `dumpsys package`: an application in the words of the package manager. */
import type { Context } from '../command.ts'
import { launchActivity, objectToken, shortComponent } from '../intent.ts'
import { packageEntry } from './package-queries.ts'
import { permissionDump } from './permissions.ts'

const APP_ID_SDK = 33

export const packageDump = ({ phone }: Context, args: readonly string[]): readonly string[] => {
  const name = args.find(word => !word.startsWith('-')) ?? ''
  if (!phone.packages().includes(name)) return [`Unable to find package: ${name}`]
  const { path, uid, isSystem, versionName, versionCode, minSdk, splits, isDebuggable } = packageEntry(phone, name)
  const sdk = Number(phone.properties.get('ro.build.version.sdk'))
  const permissions = permissionDump(phone.permissions, name)
  const flags = `[ ${isDebuggable ? 'DEBUGGABLE ' : ''}${isSystem ? 'SYSTEM ' : ''}HAS_CODE ALLOW_CLEAR_USER_DATA ]`
  return [
    'Activity Resolver Table:',
    '  Non-Data Actions:',
    '      android.intent.action.MAIN:',
    `        ${objectToken(name)} ${shortComponent(name, launchActivity(phone, name) ?? '')} filter ${objectToken(`filter ${name}`)}`,
    '',
    'Packages:',
    `  Package [${name}] (${objectToken(`package ${name}`)}):`,
    `    ${sdk < APP_ID_SDK ? 'userId' : 'appId'}=${uid}`,
    `    codePath=${path.slice(0, path.lastIndexOf('/'))}`,
    `    versionCode=${versionCode} minSdk=${minSdk} targetSdk=35`,
    `    versionName=${versionName}`,
    `    splits=[${['base', ...splits].join(', ')}]`,
    `    flags=${flags}`,
    `    pkgFlags=${flags}`,
    ...permissions.requested,
    '    User 0: ceDataInode=4711 installed=true hidden=false suspended=false stopped=false enabled=0 instant=false',
    ...permissions.runtime,
  ]
}

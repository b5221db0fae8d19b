/** Finds the fleet of a command, and the caller's identity in it: from the flags, else from the environment. */
import { hostname } from 'node:os'
import type { Labels } from '../../../contracts/fleet.ts'
import { FLEET_HOST, FLEET_NAME, LABEL_KEY, LABEL_VALUE_CHARS_MAX } from '../../../contracts/limits/fleet-limits.ts'
import type { FleetAddress } from '../../../fleet/servers/connection.ts'
import { type Names, namesOf } from '../../../fleet/servers/names.ts'
import { FleetConfigurationError, readUrls, ServerUrlError } from '../../../fleet/servers/server-urls.ts'
import { type CommandError, type Environment, type Given, usage, usageInOwnWords } from '../command.ts'
import { FLEET_NAME_DEFAULT } from '../flags/fleet-flags.ts'

const NAME_CHARS_MAX = 31
const HOST_CHARS_MAX = 63

/** A name of a machine as an id: `Lab-3.example` is `lab-3-example`. */
const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, HOST_CHARS_MAX) || 'host'

/** The value, and what the caller calls it; a blank variable counts as not set. */
const settingOf = ({ text }: Pick<Given, 'text'>, env: Environment, flag: string) => {
  const variable = `SVC_${flag.replaceAll('-', '_').toUpperCase()}`
  const written = text(flag)
  if (written !== undefined) return { value: written.trim(), called: `--${flag}` }
  return { value: env[variable]?.trim() || undefined, called: variable }
}

export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

const id = (call: Pick<Given, 'text'>, env: Environment, flag: string, rule: { pattern: RegExp; most: number }) => {
  const { value, called } = settingOf(call, env, flag)
  if (value === undefined || rule.pattern.test(value)) return value
  throw usage(
    `${called} must be up to ${rule.most} of a-z, 0-9 and -, the first not being -; got ${JSON.stringify(value)}.`,
  )
}

export const fleetNamesOf = (call: Pick<Given, 'text'>, env: Environment): Names =>
  namesOf(id(call, env, 'fleet-name', { pattern: FLEET_NAME, most: NAME_CHARS_MAX }) ?? FLEET_NAME_DEFAULT)

/** Undefined when neither says a fleet. */
export const fleetAddressOf = (call: Pick<Given, 'text'>, env: Environment): FleetAddress | undefined => {
  const fleet = settingOf(call, env, 'fleet')
  if (fleet.value === undefined) return undefined
  const urls = listOf(fleet.value)
  if (urls.length === 0)
    throw usage(`${fleet.called} names no server.`, { hint: 'Give it as --fleet nats://a:4222,nats://b:4222.' })
  return {
    urls,
    names: fleetNamesOf(call, env),
    self: id(call, env, 'fleet-host', { pattern: FLEET_HOST, most: HOST_CHARS_MAX }) ?? idOf(hostname()),
    credsFile: settingOf(call, env, 'fleet-creds').value,
    caFile: settingOf(call, env, 'fleet-ca').value,
  }
}

export const usageOf = (error: FleetConfigurationError): CommandError =>
  error instanceof ServerUrlError ? usageInOwnWords(error.message) : usage(error.message)

/** Throws a usage error for a URL that cannot be read, before anything is started. */
export const judgeUrls = ({ urls }: FleetAddress): void => {
  try {
    readUrls(urls)
  } catch (error) {
    throw error instanceof FleetConfigurationError ? usageOf(error) : error
  }
}

/** `--fleet-label key=value`, else SVC_FLEET_LABELS with commas between them. */
export const fleetLabelsOf = (call: Pick<Given, 'all'>, env: Environment): Labels => {
  const flags = call.all('fleet-label')
  const texts = flags.length > 0 ? flags : listOf(env.SVC_FLEET_LABELS)
  const labels: Labels = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const key = text.slice(0, Math.max(at, 0)).trim()
    const value = text.slice(at + 1).trim()
    if (!LABEL_KEY.test(key) || value === '' || value.length > LABEL_VALUE_CHARS_MAX || /[,\p{Cc}]/u.test(value)) {
      throw usage(`${JSON.stringify(text)} is not a label.`, {
        hint: 'Write --fleet-label key=value, such as tag=lab.',
      })
    }
    labels[key] = value
  }
  return labels
}

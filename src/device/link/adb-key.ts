/** The key by which a device recognises this host: adb's own, made in adb's form when there is none. */
import { constants, createPrivateKey, generateKeyPair, type KeyObject, privateEncrypt, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { AdbAuthType, adbGeneratePublicKey, SHA1_DIGEST_INFO, SHA1_DIGEST_LENGTH } from '@yume-chan/adb'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { LinkError } from './link.ts'

interface AdbKey {
  /** Android's form of a signature: PKCS #1 over a token that counts as a SHA-1 digest. */
  sign(token: Uint8Array): Uint8Array
  /** One line as in `adbkey.pub`: base64, a blank, who it is. */
  publicKey(): string
}

export interface Keyring {
  /** Reads the key, or makes one. Asked only when a device wants to see it. */
  load(): Promise<AdbKey>
}

const KEY_BITS = 2_048
/** adb itself gives its folder and its key these modes. */
const FOLDER_MODE = 0o750
const KEY_MODE = 0o600
const PUBLIC_KEY_MODE = 0o644

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

const publicLine = (key: KeyObject): string => {
  const der = new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }))
  return `${Buffer.from(adbGeneratePublicKey(der)).toString('base64')} ${userName()}@${hostname()}`
}

const keyOf = (pem: string, path: string): AdbKey => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== KEY_BITS)
    throw new Error(`${path} does not contain an RSA key of ${KEY_BITS} bits`)
  return {
    sign(token) {
      if (token.length !== SHA1_DIGEST_LENGTH) throw new RangeError(`a token of ${token.length} bytes`)
      const padding = constants.RSA_PKCS1_PADDING
      return new Uint8Array(privateEncrypt({ key, padding }, Buffer.concat([SHA1_DIGEST_INFO, token])))
    },
    publicKey: () => publicLine(key),
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Two processes may make one at once: the first to put it in place wins, both use that one. */
const create = async (path: string): Promise<void> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS })
  makeFolder(dirname(path), FOLDER_MODE)
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: KEY_MODE, flag: 'wx' })
  try {
    await link(draft, path)
    await writeFile(`${path}.pub`, publicLine(privateKey), { mode: PUBLIC_KEY_MODE })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const read = async (path: string): Promise<AdbKey> => keyOf(await readFile(path, 'utf8'), path)

export const createKeyring = (path: string): Keyring => {
  const load = async () => {
    try {
      return await read(path).catch(async error => {
        if (!isMissing(error)) throw error
        await create(path)
        return read(path)
      })
    } catch (error) {
      const why = messageOf(error)
      throw new LinkError('DEVICE_UNAUTHORIZED', `the key of this host cannot be used: ${why}`, { cause: error })
    }
  }
  let loaded: Promise<AdbKey> | undefined
  return {
    load() {
      loaded ??= load().catch((error: unknown) => {
        loaded = undefined
        throw error
      })
      return loaded
    },
  }
}

/** `asked`: the device wants to know who we are. `offered`: it does not know us, and a person has to decide. */
export type AuthStage = 'asked' | 'offered'
export type AuthListener = (stage: AuthStage) => void

interface AuthAnswer {
  type: number
  payload: Uint8Array
}

/**
 * Answers the tokens of one device: the first with a signature, the second with the public key. Rejects where no key is
 * left. The package signs with big integers of its own, tens of milliseconds in which nothing else runs.
 */
export const createAuthentication = (keyring: Keyring, onStage: AuthListener) => {
  let attempts = 0
  return async (type: number, token: Uint8Array): Promise<AuthAnswer> => {
    attempts += 1
    if (attempts === 1) onStage('asked')
    if (type !== AdbAuthType.Token || attempts > 2) throw new Error('no key is left that it could accept')
    const key = await keyring.load()
    if (attempts === 1) return { type: AdbAuthType.Signature, payload: key.sign(token) }
    const payload = Buffer.from(`${key.publicKey()}\0`)
    onStage('offered')
    return { type: AdbAuthType.PublicKey, payload }
  }
}

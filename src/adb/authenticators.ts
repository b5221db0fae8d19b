/** How this host proves itself to a device: by a signature, and if the device does not know the key, by offering it. */
import { type AdbAuthenticator, AdbAuthType, AdbCommand } from '@yume-chan/adb'
import type { AdbKey, Keyring } from './adb-key.ts'

/** `asked`: the device wants to know who we are. `offered`: it does not know us, and a person has to decide. */
export type AuthStage = 'asked' | 'offered'
export type OnStage = (stage: AuthStage) => void

type Load = () => Promise<AdbKey>

const answer = (type: number, payload: Uint8Array) => ({ command: AdbCommand.Auth, arg0: type, arg1: 0, payload })

/** The package signs with big integers of its own, tens of milliseconds in which nothing else runs. */
const bySignature = (load: Load, onStage: OnStage): AdbAuthenticator =>
  async function* (_store, nextRequest) {
    const { arg0, payload } = await nextRequest()
    onStage('asked')
    if (arg0 === AdbAuthType.Token) yield answer(AdbAuthType.Signature, (await load()).sign(payload))
  }

const byPublicKey = (load: Load, onStage: OnStage): AdbAuthenticator =>
  async function* (_store, nextRequest) {
    const { arg0 } = await nextRequest()
    if (arg0 !== AdbAuthType.Token) return
    const line = (await load()).publicKey()
    onStage('offered')
    yield answer(AdbAuthType.PublicKey, new TextEncoder().encode(`${line}\0`))
  }

export const authenticators = (keyring: Keyring, onStage: OnStage): readonly AdbAuthenticator[] => {
  const load = () => keyring.load()
  return [bySignature(load, onStage), byPublicKey(load, onStage)]
}

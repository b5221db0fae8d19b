/** The user of the device who is in front: newer systems refuse questions about all users where there is a work profile. */
import { type CallOptions, type Link, LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'

const OWNER = '0'
const USER = /^\d{1,9}$/

/** The owner where the device does not say. */
export const currentUser = async (link: Link, call: CallOptions): Promise<string> => {
  try {
    const { stdout } = await link.shell('am get-current-user', { ...call, maxBytes: OUTPUT_BYTES_MAX.word })
    const user = stdout.trim()
    return USER.test(user) ? user : OWNER
  } catch (error) {
    if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return OWNER
    throw error
  }
}

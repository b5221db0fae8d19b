/** The picture that a step of an execution of this host has written. */
import { failure } from '../../contracts/failures/failures.ts'
import { noReceipt } from '../executions/refusals.ts'
import type { Parts } from '../parts.ts'
import { failed, type Service, success } from '../service.ts'
import { readPicture } from '../traces/pictures.ts'

export const localPicture =
  ({ receipts }: Pick<Parts, 'receipts'>): Service['executions.picture'] =>
  async ({ executionId, step, position }) => {
    const receipt = await (await receipts()).receipt(executionId)
    if (!receipt) return failed(noReceipt(executionId))
    const picture = await readPicture(receipt, { id: step, position })
    return picture.ok ? success(picture.png) : failed(failure('NOT_FOUND', picture.problem))
  }

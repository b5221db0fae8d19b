import { connect, SvcError } from 'svc'

const svc = await connect()
const phone = svc.device()

try {
  await phone.click('No such button')
} catch (error) {
  if (!(error instanceof SvcError)) throw error
  console.log(error.code, error.dispatched, error.hint)
  if (error.dispatched === 'unknown' && error.executionId !== undefined) {
    const receipt = await svc.receipts.wait(error.executionId)
    console.log(receipt.state, receipt.result?.ok)
  }
}

await svc.close()

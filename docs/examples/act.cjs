const { connect } = require('svc')

const main = async () => {
  const svc = await connect()
  const { data } = await svc.device().snapshot({ format: 'compact' })
  console.log(data.text)
  await svc.close()
}

main().catch(error => {
  console.error(error)
  process.exitCode = 1
})

// Every planted fault of a lending partner is found by its check, without false alarms.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ConformingPlatform,
  newConformingPlatform,
  runConformance,
  startConformingPartner,
} from '#test/setup/conforming.ts'
import { faults, startFaultyPartner } from '#test/setup/faulty-partner.ts'

const planted = await Promise.all(
  faults.map(async (fault, i) => {
    const platform = await newConformingPlatform(`PLATFORM-${i}`)
    return { fault, platform, proxy: await startFaultyPartner(fault, platform.credentials, platform.port) }
  }),
)
const webhookUrl = (platform: ConformingPlatform) =>
  planted.find((each) => each.platform === platform)!.proxy.webhookUrl
const partner = await startConformingPartner(
  planted.map(({ platform }) => platform),
  webhookUrl,
)

// They mostly wait, and each has its own platform.
describe('of planted faults', { concurrency: 4 }, () => {
  for (const { fault, platform, proxy } of planted)
    test(`D3: a partner that ${fault.name} is found by ${fault.check}`, async () => {
      proxy.setPartner(partner.url)
      const only = fault.after ? [fault.after, fault.check] : [fault.check]
      // Long enough that no slow machine waits for it by chance; the one that ignores it does not wait at all.
      const retryAfterSeconds = fault.ignoresRetryAfter ? 60 : 1
      const outcomes = await runConformance(proxy.url, platform, { only, retryAfterSeconds })
      const found = outcomes.find(({ id }) => id === fault.check)
      assert.equal(
        found?.result,
        'failed',
        JSON.stringify(
          outcomes.filter(({ result }) => result !== 'passed'),
          null,
          2,
        ),
      )
      assert.ok(found.because && found.expected)
      const others = outcomes.filter(({ id, result }) => id !== fault.check && result === 'failed')
      assert.deepEqual(others, [])
    })
})

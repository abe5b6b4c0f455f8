// Every injected fault of a lending partner fails its check, and no other check.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ConformingPlatform,
  newConformingPlatform,
  runConformance,
  startConformingPartner,
} from '@lendloom/tests/setup/conforming'
import { faults, startFaultyPartner } from '@lendloom/tests/setup/faulty-partner'

const faultyPartners = await Promise.all(
  faults.map(async (fault, i) => {
    const platform = await newConformingPlatform(`PLATFORM-${i}`)
    return { fault, platform, proxy: await startFaultyPartner(fault, platform.credentials, platform.port) }
  }),
)
const webhookUrl = (platform: ConformingPlatform) =>
  faultyPartners.find((each) => each.platform === platform)!.proxy.webhookUrl
const partner = await startConformingPartner(
  faultyPartners.map(({ platform }) => platform),
  webhookUrl,
)

// Concurrent, because each test mostly waits for its own platform.
describe('injected faults', { concurrency: 4 }, () => {
  for (const { fault, platform, proxy } of faultyPartners)
    test(`D3: a partner that ${fault.name} fails the check ${fault.check}`, async () => {
      proxy.setPartner(partner.url)
      const only = fault.after ? [fault.after, fault.check] : [fault.check]
      // 60 s: a partner that ignores Retry-After never waits that long by chance.
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

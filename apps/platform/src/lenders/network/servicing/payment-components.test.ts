// The quote of an order explains the amount that a lender requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Breakup } from '@lendloom/wire/network/v203/payments'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { componentsOf } from './payment-components.ts'

test('FIS12 §18.2: the quote explains an amount only if its figures add up to the amount', () => {
  const charges = { FORECLOSURE: 3_687_52n, PRE_PART_PAYMENT: 100_00n, MISSED_EMI_PAYMENT: 500_00n }
  const outstanding = { principal: 184_375_91n, interest: 2_151_05n, charges }
  const installments = [{ serialNumber: 1, amount: '936800', status: 'DELAYED' as const, startsAt: '', dueAt: '' }]
  const componentsFor = (kind: ServicingRow['kind'], amount: bigint, requestedPaise: bigint | null = null) => {
    const { interestPaise, chargesPaise } = componentsOf({ kind, requestedPaise }, amount, {
      outstanding,
      installments,
    })
    return { interestPaise, chargesPaise }
  }
  const unknown = { interestPaise: null, chargesPaise: null }
  assert.deepEqual(componentsFor('FORECLOSURE', 190_214_48n), { interestPaise: 2_151_05n, chargesPaise: 3_687_52n })
  assert.deepEqual(componentsFor('FORECLOSURE', 190_214_49n), unknown)
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 20_100_00n, 20_000_00n), {
    interestPaise: 0n,
    chargesPaise: 100_00n,
  })
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 92_720_00n, 20_000_00n), unknown)
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 20_100_00n), unknown)
  assert.deepEqual(componentsFor('MISSED_EMI_PAYMENT', 9_868_00n), { interestPaise: 0n, chargesPaise: 500_00n })
  assert.deepEqual(componentsFor('MISSED_EMI_PAYMENT', 9_869_00n), unknown)
  assert.deepEqual(componentsFor('STATUS_REFRESH', 0n), unknown)
  const foreclosure = { kind: 'FORECLOSURE', requestedPaise: null } as const
  assert.equal(componentsOf(foreclosure, 190_214_48n, { outstanding: null, installments }).chargesPaise, null)
  const credited = { ...outstanding, interest: -2_151_05n }
  const withCredit = componentsOf(foreclosure, 185_912_38n, { outstanding: credited, installments })
  assert.equal(withCredit.interestPaise, null, 'the page shows no negative component, so the others would not add up')
})

test('FIS12 §27.4: the parts that the payment itself states explain it, if they add up', () => {
  const foreclosure = { kind: 'FORECLOSURE', requestedPaise: null } as const
  const componentsFor = (breakup: Breakup) =>
    componentsOf(foreclosure, 52_500_00n, { outstanding: null, installments: [], breakup })
  const parts = { PRINCIPAL_AMOUNT: 50_000_00n, INTEREST_AMOUNT: 1_500_00n, FORECLOSURE_CHARGES: 900_00n }
  assert.deepEqual(componentsFor({ ...parts, LATE_FEE_AMOUNT: 100_00n }), {
    interestPaise: 1_500_00n,
    chargesPaise: 1_000_00n,
  })
  const missed = { kind: 'MISSED_EMI_PAYMENT', requestedPaise: null } as const
  const figures = { outstanding: null, installments: [], breakup: parts }
  const ofInstalment = { interestPaise: 0n, chargesPaise: 900_00n }
  assert.deepEqual(componentsOf(missed, 52_400_00n, figures), ofInstalment, 'its interest is not a further part')
  const unknown = { interestPaise: null, chargesPaise: null }
  assert.deepEqual(componentsFor(parts), unknown, 'a part is missing')
  assert.deepEqual(componentsFor({ ...parts, INTEREST_AMOUNT: -1_500_00n, LATE_FEE_AMOUNT: 3_100_00n }), unknown)
  assert.deepEqual(componentsFor({}), unknown, 'nothing is stated')
})

// Outside a sandbox the rules cannot decide in place of people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { isAutopilotOn, switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'

const bank = await startBank()
const partner = await startTestPartner({
  BANK_URL: bank.url,
  BANK_BEARER: bank.bearer,
  PARTNER_AUTOPILOT: 'off',
  SANDBOX: 'off',
  PARTNER_DESK_SECOND_FACTOR: 'required',
})

test('decision 0042: outside a sandbox one admin cannot switch the rules on', async () => {
  const { db, ctx } = partner
  const admin = await deskPerson(partner, 'Admin', 'admin')
  assert.doesNotMatch((await admin.view('/desk/policy')).text, /Switch on automatic decisions|Sandbox/)
  assert.equal((await admin.send('/desk/autopilot', { on: 'yes' })).status, 409)
  await db.tx((tx) => switchAutopilot(tx, true, admin.staffId, new Date()))
  assert.equal(await isAutopilotOn(db, ctx.config), false, 'a stored switch has no effect outside a sandbox')
})

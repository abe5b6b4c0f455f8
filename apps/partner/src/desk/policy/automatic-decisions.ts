// Whether rules decide in place of people: the section of the policy page, and the switch of a sandbox.

import { Refusal } from '@lendloom/foundation/refusal'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { goTo } from '#partner/desk/frame.ts'
import { formatTime } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import { isAutopilotOn, switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { readSwitch } from '#partner/origination/case/store.ts'
import { staffNameOf } from '#partner/people/store.ts'
import { policyPath } from './policy-section.ts'
import { automaticTexts } from './text-en.ts'

interface SwitchState {
  isOn: boolean
  lastChange: { at: Date; name: string } | undefined
}

/** The id of the section on the page. */
export const automaticDecisionsId = 'automatic-decisions'

/** Reads whether the rules are on, and who switched them last. */
export async function readAutomaticDecisions(db: Run, config: Context['config']): Promise<SwitchState> {
  const [isOn, lastSwitch] = await Promise.all([isAutopilotOn(db, config), readSwitch(db)])
  const lastChange = lastSwitch && { at: lastSwitch.switchedAt, name: await staffNameOf(db, lastSwitch.switchedBy) }
  return { isOn, lastChange }
}

const switchedOn =
  'Rules review applications and video KYC, pay out loans and request weekly debits, without waiting for a person.'
const switchedOff = 'Nothing is approved, paid out or debited until a staff member does it.'

export function automaticDecisionsPart({ isOn, lastChange }: SwitchState, maySwitch: boolean): Html {
  const since =
    lastChange && html` ${isOn ? 'Switched on' : 'Switched off'} by ${lastChange.name} on ${formatTime(lastChange.at)}.`
  return html`<section class="card rules" id="${automaticDecisionsId}"><div><h2>${automaticTexts.title}: ${isOn ? 'on' : 'off'}</h2>
<p>${isOn ? switchedOn : switchedOff}${since}</p></div>
${maySwitch && html`<details class="question"><summary class="secondary">Switch ${isOn ? 'off' : 'on'} automatic decisions</summary><form method="post" action="/desk/autopilot"><p>${isOn ? switchedOff : switchedOn}</p><input type="hidden" name="on" value="${isOn ? 'no' : 'yes'}"><button class="danger">Switch ${isOn ? 'off' : 'on'}</button></form></details>`}</section>`
}

const switchRules = deskRoute({
  section: 'operation',
  hidden: true,
  viewAct: null,
  auth: may('RULES_ON'),
  method: 'POST',
  path: '/desk/autopilot',
  summary: 'Switch the rules on or off',
  accepts: 'raw',
  async handle({ who: { staffId }, raw, at }, ctx: Context) {
    const choice = formFrom(raw).get('on')
    if (choice !== 'yes' && choice !== 'no') throw new Refusal('invalid', 'on must be yes or no', { field: 'on' })
    const isOn = choice === 'yes'
    if (isOn && !ctx.config.SANDBOX) throw new Refusal('wrong-state', 'the rules can be switched on only in a sandbox')
    await ctx.db.tx(async (tx) => {
      await switchAutopilot(tx, isOn, staffId, at)
      await noteAct(tx, { staffId, act: isOn ? 'RULES_ON' : 'RULES_OFF', about: {}, at })
    })
    return goTo(`${policyPath}?done=${isOn ? 'RULES_ON' : 'RULES_OFF'}`)
  },
})

export const automaticDecisionRoutes = [switchRules]

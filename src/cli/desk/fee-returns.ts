// `lendloom desk fee-returns`: fees of cooling-off exits that an earlier version gave back more than once, listed and taken back.
import { type Call, command, required, table, UsageError } from '#cli/command.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { rupees } from '#kit/money/money.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { correctFeeReturn } from '#partner/collection/correct-fee-return.ts'
import { noteAct } from '#partner/desk/staff-act.ts'
import { doubleFeeReturns } from '#partner/ledger/store.ts'
import { settings } from '#partner/settings.ts'

const options = {
  reverse: { type: 'boolean', about: 'take them back: each by an entry of its own, and the first return stays' },
  reason: {
    type: 'string',
    value: 'text',
    about: 'with --reverse: why, in ten characters or more; the audit log keeps it',
  },
} as const

export const feeReturns = command({
  name: 'desk fee-returns',
  summary: 'list fees that were given back more than once after a cooling-off exit, or take the second ones back',
  usage: '[--reverse --reason <text>]',
  options,
  async run({ options: { reverse, reason }, env }: Call<typeof options>) {
    if (!reverse) return listed(env)
    const why = required(reason, 'reason').trim()
    if (why.length < 10) throw new UsageError('--reason must say why in ten characters or more')
    const corrected = await takenBack(env, why)
    const sum = corrected.reduce((all, { paise }) => all + paise, 0n)
    return {
      text: `took back ${rupees(sum)} from ${corrected.length} cases`,
      data: { corrected: corrected.map(({ caseRef, paise }) => ({ caseRef, amount: rupees(paise) })) },
    }
  },
})

async function listed(env: NodeJS.ProcessEnv) {
  const found = await withDatabase('partner', env, doubleFeeReturns)
  const items = found.map(({ caseRef, entryId, businessOn, paise }) => ({
    ...{ caseRef, entryId, businessOn, amount: rupees(paise) },
  }))
  const cells = items.map(({ caseRef, entryId, businessOn, amount }) => [caseRef, entryId, businessOn, amount])
  const next = 'lendloom desk fee-returns --reverse --reason <text> takes them back.'
  const text = `${table(['CASE', 'ENTRY', 'DAY', 'AMOUNT'], cells)}\n\n${next}`
  return { text: items.length > 0 ? text : 'No fee was given back more than once.', data: { items } }
}

/** Case by case, each in a transaction of its own: a case that another run corrected meanwhile is left out. */
const takenBack = (env: NodeJS.ProcessEnv, reason: string) =>
  withDatabase('partner', env, async (db) => {
    const ctx = { seal: sealOf(env, 'partner'), config: configFrom({ PARTNER_SENDER: settings.PARTNER_SENDER }, env) }
    const cases = new Set((await doubleFeeReturns(db)).map(({ caseRef }) => caseRef))
    const corrected = []
    for (const caseRef of cases) {
      const at = systemClock()
      const paise = await db.tx(async (tx) => {
        const taken = await correctFeeReturn({ ...ctx, tx, at }, caseRef)
        const detail = { reason, amount: rupees(taken) }
        if (taken > 0n) await noteAct(tx, { staffId: null, act: 'FEE_RETURN_REVERSED', about: { caseRef, detail }, at })
        return taken
      })
      if (paise > 0n) corrected.push({ caseRef, paise })
    }
    return corrected
  })

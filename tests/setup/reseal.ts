// Reseals everything that a simulation has sealed with another key; each value must open in the context of its column.
import assert from 'node:assert/strict'
import { sealedColumns } from '@lendloom/cli/src/keys/sealed-columns.ts'
import { reseal } from '@lendloom/postgres/reseal-values'
import { connect } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import type { Program } from './database.ts'
import type { Programs } from './programs.ts'

/** Stops the programs, reseals, and returns the columns with resealed values. */
export async function resealAll(ctx: Programs): Promise<Set<string>> {
  const programs: Program[] = ctx.partnerUrl ? ['platform', 'sandbox', 'partner'] : ['platform', 'sandbox']
  assert.deepEqual(await ctx.checkJourneys(), [], 'on the network')
  await Promise.all(programs.map((program) => ctx.kill(program)))
  const resealedColumns = new Set<string>()
  for (const program of programs) {
    const db = connect(ctx.databaseUrls[program]!, { connections: 4 })
    const newKey = newSealKey('new')
    const seal = sealWith(`${newKey},${ctx.keys[program]}:open`)
    for (const column of sealedColumns[program]) {
      const name = `${program} ${column.table}.${column.column}`
      const result = await reseal(db, seal, column)
      assert.deepEqual(
        { unreadable: result.unreadable, complete: result.complete },
        { unreadable: 0, complete: true },
        name,
      )
      assert.equal((await reseal(db, sealWith(newKey), column)).unreadable, 0, `${name} opens with only the new key`)
      if (result.moved > 0) resealedColumns.add(name)
    }
    await db.close()
  }
  return resealedColumns
}

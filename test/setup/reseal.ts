// Everything that a simulation has sealed, moved to another key: each value must open under what its column says.
import assert from 'node:assert/strict'
import { sealedColumns } from '#cli/keys/sealed-columns.ts'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { reseal } from '#kit/db/reseal.ts'
import { connect } from '#kit/db/sql.ts'
import type { Program } from './database.ts'
import type { Programs } from './programs.ts'

/** Stops the programs; gives the columns of which values were moved. */
export async function resealAll(ctx: Programs): Promise<Set<string>> {
  const programs: Program[] = ctx.partnerUrl ? ['platform', 'sandbox', 'partner'] : ['platform', 'sandbox']
  assert.deepEqual(await ctx.judge(), [], 'on the network')
  await Promise.all(programs.map((program) => ctx.kill(program)))
  const moved = new Set<string>()
  for (const program of programs) {
    const db = connect(ctx.databaseUrls[program]!, { connections: 4 })
    const fresh = newSealKey('new')
    const seal = sealWith(`${fresh},${ctx.keys[program]}:open`)
    for (const column of sealedColumns[program]) {
      const name = `${program} ${column.table}.${column.column}`
      const done = await reseal(db, seal, column)
      assert.deepEqual(
        { unreadable: done.unreadable, complete: done.complete },
        { unreadable: 0, complete: true },
        name,
      )
      assert.equal((await reseal(db, sealWith(fresh), column)).unreadable, 0, `${name} opens under the new key alone`)
      if (done.moved > 0) moved.add(name)
    }
    await db.close()
  }
  return moved
}

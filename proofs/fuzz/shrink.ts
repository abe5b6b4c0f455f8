// Makes a failing request smaller while it fails in the same way.
import type { Draft } from './draft.ts'
import type { Fault } from './judge.ts'
import { changedAt, pathsIn } from './mutate-body.ts'

const maxTries = 60

/** `faultOf` sends the draft and judges the answer. */
export async function shrink(
  draft: Draft,
  fault: Fault,
  faultOf: (draft: Draft) => Promise<Fault | null>,
): Promise<Draft> {
  let smallest = draft
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < maxTries; ) {
    isSmaller = false
    for (const candidate of smallerThan(smallest)) {
      if (++tries > maxTries) break
      const again = await faultOf(candidate)
      if (again?.kind !== fault.kind) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

const credentialHeaders = ['authorization', 'cookie', 'content-type', 'idempotency-key', 'x-request-id']

function* smallerThan(draft: Draft): Generator<Draft> {
  for (const [i, [name]] of draft.headers.entries())
    if (!credentialHeaders.includes(name)) yield { ...draft, headers: draft.headers.toSpliced(i, 1) }
  for (const i of draft.query.keys()) yield { ...draft, query: draft.query.toSpliced(i, 1) }
  if (draft.body.kind !== 'none' && draft.body.kind !== 'bytes') yield { ...draft, body: { kind: 'none' } }
  if (draft.body.kind === 'form')
    for (const i of draft.body.fields.keys())
      yield { ...draft, body: { kind: 'form', fields: draft.body.fields.toSpliced(i, 1) } }
  if (draft.body.kind !== 'json') return
  const { value } = draft.body
  for (const path of pathsIn(value)) {
    const without = changedAt(value, path, (parent, key) => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1)
      else delete parent[key]
    })
    yield { ...draft, body: { kind: 'json', value: without } }
  }
}

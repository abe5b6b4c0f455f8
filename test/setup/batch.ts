// Test files of one process, in the order that they are told in; `node --test` would sort them.
import { resolve } from 'node:path'
import { test } from 'node:test'
import './connections.ts'

export const filesVariable = 'LENDLOOM_TEST_FILES'

for (const file of process.env[filesVariable]?.split('\n') ?? []) {
  try {
    await import(resolve(file))
  } catch (error) {
    test(`${file} can be loaded`, () => {
      throw error
    })
  }
}

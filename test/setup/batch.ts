// Test files of one process, in the order that they are told in; `node --test` would sort them.
import { resolve } from 'node:path'
import { test } from 'node:test'
import './connections.ts'
import { countAssertions, filesVariable, loading, measureTests } from './costs.ts'

countAssertions()
measureTests()
for (const file of process.env[filesVariable]?.split('\n') ?? []) {
  try {
    await loading(file, () => import(resolve(file)))
  } catch (error) {
    test(`${file} can be loaded`, () => {
      throw error
    })
  }
}

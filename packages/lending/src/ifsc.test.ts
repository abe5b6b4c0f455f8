// IFSC look-ups: the bank, and the branch when a branch list is configured.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { branchesOf } from './ifsc.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-ifsc-'))
after(() => rmSync(directory, { recursive: true }))
const fileOf = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

test('without a branch list, returns the bank and whether the branch exists', async () => {
  const { find } = branchesOf('')
  assert.deepEqual(await find(' hdfc0000001 '), { bank: 'HDFC Bank', branch: null, isKnown: true })
  assert.deepEqual(await find('SBIN0000001'), { bank: 'State Bank of India', branch: null, isKnown: true })
  assert.deepEqual(await find('HDFC0ZZZZZZ'), { bank: 'HDFC Bank', branch: null, isKnown: false })
  assert.deepEqual(await find('ZZZZ0000001'), { bank: null, branch: null, isKnown: false })
})

test('returns the sub-member bank for a code that its sponsor bank assigned to it', async () => {
  const { find } = branchesOf('')
  const { bank } = await find('AKJB0000001')
  assert.match(bank ?? '', /Akola/)
  assert.notEqual((await find('ALLA0AU1002')).bank, (await find('ALLA0210001')).bank, 'by the prefix of the code')
})

test('a branch list adds the branch, the city and new codes', async () => {
  const path = fileOf(
    'list.csv',
    '\ufeffBANK,IFSC,BRANCH,CENTRE\r\nHDFC Bank,HDFC0000001,"TULSIANI CHMBRS, NARIMAN PT",MUMBAI\r\nHDFC Bank,HDFC0ZZZZZZ,PUNE,PUNE\r\n',
  )
  const { find } = branchesOf(path)
  assert.equal((await find('HDFC0000001')).branch, 'TULSIANI CHMBRS, NARIMAN PT, MUMBAI')
  assert.deepEqual(await find('HDFC0ZZZZZZ'), { bank: 'HDFC Bank', branch: 'PUNE', isKnown: true })
  assert.equal((await find('HDFC0000002')).branch, null)
})

test('rejects an invalid list at the start with the name of the setting', () => {
  assert.throws(
    () => branchesOf(fileOf('other.csv', 'code,place\n1,2\n')),
    /IFSC_FILE: .* has no columns IFSC and BRANCH/,
  )
  assert.throws(() => branchesOf(join(directory, 'absent.csv')), /IFSC_FILE: .* cannot be read/)
})

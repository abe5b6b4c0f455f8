// An IFSC gives the bank, and the branch where a list of branches is given.
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

test('without a list the bank is known, and whether there is such a branch', async () => {
  const { find } = branchesOf('')
  assert.deepEqual(await find(' hdfc0000001 '), { bank: 'HDFC Bank', branch: null, isKnown: true })
  assert.deepEqual(await find('SBIN0000001'), { bank: 'State Bank of India', branch: null, isKnown: true })
  assert.deepEqual(await find('HDFC0ZZZZZZ'), { bank: 'HDFC Bank', branch: null, isKnown: false })
  assert.deepEqual(await find('ZZZZ0000001'), { bank: null, branch: null, isKnown: false })
})

test('a branch that a bank lends to a smaller one is named by that one', async () => {
  const { find } = branchesOf('')
  const { bank } = await find('AKJB0000001')
  assert.match(bank ?? '', /Akola/)
  assert.notEqual((await find('ALLA0AU1002')).bank, (await find('ALLA0210001')).bank, 'by the beginning of the code')
})

test('a list gives the branch and its city, quoted or not, and makes a new code known', async () => {
  const path = fileOf(
    'list.csv',
    '\ufeffBANK,IFSC,BRANCH,CENTRE\r\nHDFC Bank,HDFC0000001,"TULSIANI CHMBRS, NARIMAN PT",MUMBAI\r\nHDFC Bank,HDFC0ZZZZZZ,PUNE,PUNE\r\n',
  )
  const { find } = branchesOf(path)
  assert.equal((await find('HDFC0000001')).branch, 'TULSIANI CHMBRS, NARIMAN PT, MUMBAI')
  assert.deepEqual(await find('HDFC0ZZZZZZ'), { bank: 'HDFC Bank', branch: 'PUNE', isKnown: true })
  assert.equal((await find('HDFC0000002')).branch, null)
})

test('a file that is no such list is refused when the program starts, by the name of the setting', () => {
  assert.throws(
    () => branchesOf(fileOf('other.csv', 'code,place\n1,2\n')),
    /IFSC_FILE: .* has no columns IFSC and BRANCH/,
  )
  assert.throws(() => branchesOf(join(directory, 'absent.csv')), /IFSC_FILE: .* cannot be read/)
})

// Runs the Python package's own tests, which use the same webhook vectors as the Node package, also on its wheel.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildPackagesOnce, temporaryFolder } from './consumer.ts'
import { findPython, runPython } from './python.ts'

const unittest = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', 'tests']

const { python, skip } = findPython()
test('D1 §6: the tests of the Python package pass', { skip }, async () => {
  assert.match(await runPython(python, unittest), /^Ran \d{1,3} tests[\s\S]*^OK/m)
})

const asynchronous = findPython('aiohttp')
test('D1, D2: the tests of the Python package pass for its asyncio client', asynchronous, async () => {
  const report = await runPython(asynchronous.python, [...unittest, '-p', 'test_async.py'])
  assert.match(report, /^Ran \d{1,3} tests[\s\S]*^OK \(skipped=1\)$/m)
})

const packaging = findPython('pip', 'venv', 'setuptools', 'wheel')
test('D1, D2: the wheel of the Python package passes its tests in an empty environment', packaging, async () => {
  const folder = temporaryFolder('lendloom-python-')
  const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--no-cache-dir']
  const offline = ['--no-index', '--no-deps']
  const source = join(await buildPackagesOnce(), 'server-python')
  const ownPath = { PYTHONPATH: '' }
  const run = (args: string[], program = packaging.python) => runPython(program, args, ownPath)
  await run([...pip, 'wheel', ...offline, '--no-build-isolation', '--wheel-dir', folder, source])
  const [wheel] = globSync(join(folder, 'lendloom-*-py3-none-any.whl'))
  assert.ok(wheel, 'a wheel for every platform')
  await run(['-m', 'venv', '--without-pip', join(folder, 'app')])
  const app = join(folder, 'app', 'bin', 'python')
  await run([...pip, '--python', app, 'install', ...offline, wheel])
  assert.match(await run(['-c', 'import lendloom; print(lendloom.__file__)'], app), /app\/lib.*site-packages/)
  assert.match(await run(unittest, app), /^Ran \d{1,3} tests[\s\S]*^OK/m)
})

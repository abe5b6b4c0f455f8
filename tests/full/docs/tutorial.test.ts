// Runs the blocks of the quickstarts in order, in an empty folder, and compares their output with the pages.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { temporaryFolder } from '#test/full/packages/consumer.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { freePort } from '#test/setup/platform.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { type Block, blocksOf, linkRepository } from '#test/setup/tutorial.ts'

const { platformUrl, tenant, keys } = await sharedPrograms()

/** Creates the folder of a clone, with the sandbox's keys as `npm start` writes them. */
function cloneWithKeys(home: string): string {
  const folder = linkRepository(home)
  mkdirSync(join(folder, '.lendloom'))
  const sandbox = { platform: { url: platformUrl }, tenant }
  writeFileSync(join(folder, '.lendloom', 'sandbox.json'), JSON.stringify(sandbox))
  return folder
}

/** Separates the output of two blocks. */
const separator = '\u001e'

/** Returns a shell script that runs the page's commands and writes its files. */
const scriptOf = (blocks: Block[]): string =>
  [
    'set -eu',
    ...blocks.map(({ language, file, content }) => {
      if (language === 'sh') return `printf '${separator}'\n${content}`
      return file === '' ? '' : `cat > ${file} <<'END OF FILE'\n${content}END OF FILE`
    }),
  ].join('\n')

const patternOf = (expected: string): RegExp => {
  const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^\\n]*')}$`)
}

/** The reason to skip a quickstart; false if its commands can run. */
function missingCommand(check: string): string | false {
  try {
    execFileSync('bash', ['-c', check], { stdio: 'ignore' })
    return false
  } catch {
    return `one of these is missing: ${check}`
  }
}

const quickstarts = [
  { page: 'quickstart-node', check: 'command -v curl awk' },
  {
    page: 'quickstart-python',
    check: 'command -v curl awk && python3 -c "import ensurepip, sys; assert sys.version_info >= (3, 9)"',
  },
]

for (const { page, check } of quickstarts)
  test(`D1 §4, §6: ${page} leads to a disbursed loan and a verified webhook`, {
    skip: missingCommand(check),
  }, async () => {
    const blocks = blocksOf(page)
    const [first, ...rest] = blocks
    assert.deepEqual(first, { language: 'sh', file: '', content: 'npm ci\nnpm start\n', isPlatform: true })
    assert.ok(rest.every((block) => ['sh', 'text'].includes(block.language) !== (block.file !== '')))
    assert.match(rest.map(({ content }) => content).join(''), /^verified DISBURSED$/m)
    const { outputs, errors } = await run(rest)
    const commands = rest
      .map((block, i) => ({ ...block, next: rest[i + 1] }))
      .filter(({ language }) => language === 'sh')
    assert.equal(outputs.length, commands.length, `the script stopped after ${outputs.at(-1)}: ${errors}`)
    for (const [i, { content, next }] of commands.entries())
      assert.match(outputs[i]!.trim(), patternOf(next?.language === 'text' ? next.content.trim() : ''), content)
  })

/** Runs the blocks in a folder of their own. Returns the output of each block of commands. */
async function run(blocks: Block[]): Promise<{ outputs: string[]; errors: string }> {
  const home = temporaryFolder('lendloom-tutorial-')
  const shell = spawn('bash', ['-c', scriptOf(blocks)], {
    cwd: cloneWithKeys(home),
    detached: true,
    timeout: deadlineMs,
    env: {
      ...process.env,
      HOME: home,
      PORT: String(await freePort()),
      PUBLIC_URL: platformUrl,
      LENDLOOM_KEYS: keys.platform,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      npm_config_offline: 'true',
      npm_config_loglevel: 'error',
      PIP_NO_INDEX: '1',
    },
  })
  const errors = text(shell.stderr)
  const outputs = (await text(shell.stdout)).split(separator).slice(1)
  try {
    process.kill(-shell.pid!)
  } catch {
    // The process group has ended.
  }
  return { outputs, errors: await errors }
}

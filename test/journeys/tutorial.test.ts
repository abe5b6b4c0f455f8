// docs/tutorials/first-loan.md is followed word for word: its blocks are run in order, and print what the page says.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { temporary } from '#test/packages/consumer.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { freePort } from '#test/setup/platform.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const root = join(import.meta.dirname, '..', '..')
const { platformUrl, tenant } = await sharedPrograms()

interface Block {
  language: string
  content: string
  /** The first block, for which the programs of the test stand in. */
  isPlatform: boolean
}

/** Every block of code, in order. */
function blocksOf(markdown: string): Block[] {
  const found = markdown.matchAll(/(<!-- the platform -->\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...found].map(([, mark, language = '', content = '']) => ({
    language,
    content,
    isPlatform: mark !== undefined,
  }))
}

/** A folder that looks like the repository, with the sandbox's keys that `npm start` would have left there. */
function repository(home: string): string {
  const folder = join(home, 'lendloom')
  mkdirSync(join(folder, '.lendloom'), { recursive: true })
  for (const name of readdirSync(root)) if (name !== '.lendloom') symlinkSync(join(root, name), join(folder, name))
  const sandbox = { platform: { url: platformUrl }, tenant: { apiKey: tenant.apiKey } }
  writeFileSync(join(folder, '.lendloom', 'sandbox.json'), JSON.stringify(sandbox))
  return folder
}

/** Between what two blocks print. */
const mark = '\u001e'

/** One shell for all of the page: commands are run, files are written where it names them. */
const scriptOf = (blocks: Block[]): string =>
  [
    'set -eu',
    ...blocks.map(({ language, content }) => {
      if (language === 'sh') return `printf '${mark}'\n${content}`
      const [, file] = /^\/\/ (\S+)\n/.exec(content) ?? []
      return language === 'js' && file ? `cat > ${file} <<'END OF FILE'\n${content}END OF FILE` : ''
    }),
  ].join('\n')

const pattern = (shown: string): RegExp => {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^\\n]*')}$`)
}

function lacksShell(): string | false {
  try {
    execFileSync('bash', ['-c', 'command -v curl awk'], { stdio: 'ignore' })
    return false
  } catch {
    return 'there is no bash with curl'
  }
}

test('D1 §4, §6: from nothing to a disbursed loan and a verified webhook, as the tutorial says', {
  skip: lacksShell(),
}, async () => {
  const blocks = blocksOf(readFileSync(join(root, 'docs/tutorials/first-loan.md'), 'utf8'))
  const [first, ...rest] = blocks
  assert.deepEqual(first, { language: 'sh', content: 'npm ci\nnpm start\n', isPlatform: true })
  assert.ok(rest.every(({ language, isPlatform }) => ['sh', 'js', 'text'].includes(language) && !isPlatform))

  const home = temporary('lendloom-tutorial-')
  const shell = spawn('bash', ['-c', scriptOf(rest)], {
    cwd: repository(home),
    detached: true,
    timeout: deadlineMs,
    env: {
      ...process.env,
      HOME: home,
      PORT: String(await freePort()),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      npm_config_offline: 'true',
      npm_config_loglevel: 'error',
    },
  })
  const complaints = text(shell.stderr)
  const printed = (await text(shell.stdout)).split(mark).slice(1)
  const errors = await complaints
  try {
    process.kill(-shell.pid!)
  } catch {
    // Everything that it started has ended.
  }
  const commands = rest.map((block, i) => ({ ...block, next: rest[i + 1] })).filter(({ language }) => language === 'sh')
  assert.equal(printed.length, commands.length, `it stops after ${printed.at(-1)}: ${errors}`)
  for (const [i, { content, next }] of commands.entries())
    assert.match(printed[i]!.trim(), pattern(next?.language === 'text' ? next.content.trim() : ''), content)
})

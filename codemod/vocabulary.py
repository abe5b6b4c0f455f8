import re,subprocess,os,json
L='packages/lending/src/'
def take(p,pattern):
    s=open(p).read()
    m=re.search(pattern,s,re.S)
    assert m,(p,pattern)
    open(p,'w').write(s[:m.start()]+s[m.end():])
    return m.group(0).strip()+"\n"
W='packages/wire/src/network/'
doc=r"(?:/\*\*(?:(?!\*/).)*\*/\n)?"
def iface(p,name,exported=True): return take(p,doc+(r"export " if exported else "")+r"interface "+name+r" \{\n.*?\n\}\n\n?")
terms=iface(W+'v203/terms.ts','Terms')
amounts=take(W+'v203/terms.ts',r"type Amounts = Pick<.*?>\n\n?")
total=take(W+'v203/terms.ts',r"/\*\* The borrower's total:.*?export const totalOf = .*?\n\n")
net=take(W+'v203/terms.ts',r"/\*\* The payout: the principal.*?export const netDisbursedOf = .*?\n\n")
open(L+'terms.ts','w').write("// The terms of an offer, whichever wire they came by.\n\nimport type { Paise } from './money.ts'\n\n"+terms+"\n"+amounts+"\n"+total+"\n"+net)
contact=iface(W+'v203/lender.ts','LenderContact')
provider=iface(W+'v203/lender.ts','ServiceProvider',False).replace('interface ServiceProvider','export interface ServiceProvider')
lender=iface(W+'v203/lender.ts','Lender')
branch=iface(W+'v203/lender.ts','Branch')
agent=iface(W+'v203/lender.ts','Agent')
point=take('packages/wire/src/pincode.ts',doc+r"export interface Point \{\n.*?\n\}\n\n?")
open(L+'lender.ts','w').write("// A lender as borrowers and staff see it: its identity, contacts, branches and agents.\n\n"+contact+"\n"+provider+"\n"+lender+"\n"+point+"\n"+branch+"\n"+agent)
scheme=iface(W+'v230/pledge.ts','Scheme'); pledge=iface(W+'v230/pledge.ts','Pledge')
open(L+'pledge.ts','w').write("// The mutual-fund units that secure a loan.\n\n"+scheme+"\n"+pledge)
moved={'network/v203/terms':('terms',['Terms','totalOf','netDisbursedOf']),'network/v203/lender':('lender',['LenderContact','ServiceProvider','Lender','Branch','Agent']),'network/v230/pledge':('pledge',['Scheme','Pledge']),'pincode':('lender',['Point'])}
files=subprocess.run("git ls-files '*.ts' '*.tsx'",shell=True,capture_output=True,text=True).stdout.split()+[L+'terms.ts',L+'lender.ts',L+'pledge.ts']
imp=re.compile(r"(import|export) (type )?\{([^}]*)\} from '([^']+)'")
def target(f,spec):
    if spec.startswith('@lendloom/wire/'): return spec[len('@lendloom/wire/'):].removeprefix('src/').removesuffix('.ts')
    if spec.startswith('#wire/'): return spec[6:].removesuffix('.ts')
    if spec.startswith('.') and f.startswith('packages/wire/src/'): return os.path.relpath(os.path.normpath(os.path.join(os.path.dirname(f),spec)),'packages/wire/src').removesuffix('.ts')
for f in files:
    s=open(f).read()
    def rep(m):
        kind,typ,names,spec=m.groups(); t=target(f,spec)
        if t not in moved: return m.group(0)
        mod,mine=moved[t]
        items=[n.strip() for n in names.split(',') if n.strip()]
        bare=lambda n: re.sub(r'^type ','',n).split(' as ')[0]
        a=[n for n in items if bare(n) in mine]; b=[n for n in items if bare(n) not in mine]
        if not a: return m.group(0)
        out=[]
        if b: out.append(f"{kind} {typ or ''}{{ {', '.join(b)} }} from '{spec}'")
        out.append(f"{kind} {typ or ''}{{ {', '.join(a)} }} from '@lendloom/lending/{mod}'")
        return "\n".join(out)
    n=imp.sub(rep,s)
    if n!=s: open(f,'w').write(n)
for p,mod in [(W+'v203/terms.ts','terms'),(W+'v203/lender.ts','lender'),(W+'v230/pledge.ts','pledge'),('packages/wire/src/pincode.ts','lender')]:
    s=open(p).read()
    names=[n for v in moved.values() if v[0]==mod for n in v[1] if re.search(r'\b'+n+r'\b',s)]
    names=[n for n in names if (p.endswith('pincode.ts'))==(n=='Point') or (n=='Point' and False)]
    if not names: continue
    line="import { "+', '.join(('' if n in('totalOf','netDisbursedOf') else 'type ')+n for n in names)+f" }} from '@lendloom/lending/{mod}'\n"
    i=s.find('import ')
    if i<0: i=s.index('\n')+1
    open(p,'w').write(s[:i]+line+s[i:])
p='packages/lending/package.json'; d=json.load(open(p)); e=d['exports']
for m in ['terms','lender','pledge']: e['./'+m]=f'./src/{m}.ts'
inside=e.pop('./src/*'); d['exports']=dict(sorted(e.items())); d['exports']['./src/*']=inside
json.dump(d,open(p,'w'),indent=2,ensure_ascii=False); open(p,'a').write('\n')

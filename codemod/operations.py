import re,os,json,subprocess,collections
topics={
'platform':[('tenants',r'^access/'),('archive',r'^archive/'),('exchange',r'^exchange/'),('figures',r'^figures/'),('grievances',r'^grievance/'),('journeys',r'^journey/'),('network',r'^network/'),('staff',r'^staff/'),('installation',r'^(outside-sandbox|sealed-columns|privacy/)')],
'partner':[('archive',r'^archive/'),('cases',r'^case/'),('staff',r'^desk'),('documents',r'^document/'),('books',r'^(ledger|loan|report)/'),('installation',r'^(outside-sandbox|sealed-columns)')],
'sandbox':[('scenarios',r'^(bank|bureau|lender|verification)/'),('installation',r'^sealed-columns')],
}
about={
('platform','tenants'):'tenants and their applications',('platform','archive'):'the cold archive of the platform',('platform','exchange'):'lending partners and their settings',('platform','figures'):'the figures of the overview, and journeys without a next act',('platform','grievances'):'complaints of the network',('platform','journeys'):'journeys',('platform','network'):'our entry at the network, its messages and transcripts',('platform','staff'):'people of the console and the audit log',('platform','installation'):'settings outside the sandbox, sealed columns and periods',
('partner','archive'):'the cold archive of the partner',('partner','cases'):'cases',('partner','staff'):'people of the desk and the audit log',('partner','documents'):'stored files',('partner','books'):'books, classes and reports',('partner','installation'):'settings outside the sandbox and sealed columns',
('sandbox','scenarios'):'what decides how the outside world answers',('sandbox','installation'):'sealed columns',
}
files=subprocess.run("git ls-files 'apps/cli/src/**' 'packages/**' 'tools/web/**'",shell=True,capture_output=True,text=True).stdout.split()
files=[f for f in files if re.search(r'\.tsx?$',f)]
exports=collections.defaultdict(lambda: collections.defaultdict(dict)) # app,topic -> module -> name->isType
imp=re.compile(r"import (type )?\{([^}]*)\} from '@lendloom/(platform|partner|sandbox)/([^']+)'\n")
for f in files:
    s=open(f).read()
    isTest='.test.' in f
    def rep(m):
        whole,typ,names,app,mod=m.group(0),m.group(1),m.group(2),m.group(3),m.group(4)
        if mod.startswith('src/'): return whole
        topic=next((t for t,r in topics[app] if re.search(r,mod)),None)
        if not topic: return whole
        parsed=[]
        for n in names.split(','):
            n=n.strip()
            if not n: continue
            isType=bool(typ) or n.startswith('type ')
            bare=re.sub(r'^type ','',n)
            orig=bare.split(' as ')[0]
            if not isTest:
                cur=exports[(app,topic)][mod].get(orig)
                exports[(app,topic)][mod][orig]=isType if cur is None else (cur and isType)
            parsed.append((isType,bare))
        if isTest: return whole.replace(f'@lendloom/{app}/{mod}',f'@lendloom/{app}/src/{mod}.ts')
        return "import { "+', '.join(('type ' if t else '')+b for t,b in parsed)+f" }} from '@lendloom/{app}/operations/{topic}'\n"
    n=imp.sub(rep,s)
    if n!=s: open(f,'w').write(n)
# other users (tests, tools, proofs, bench) of doors that close
closing={(a,m) for (a,t),mods in exports.items() for m in mods}
others=subprocess.run("git ls-files '*.ts' '*.tsx'",shell=True,capture_output=True,text=True).stdout.split()
for f in others:
    s=open(f).read()
    n=re.sub(r"@lendloom/(platform|partner|sandbox)/((?!src/|operations/)[^']+)'",lambda m: f"@lendloom/{m.group(1)}/src/{m.group(2)}.ts'" if (m.group(1),m.group(2)) in closing else m.group(0),s)
    if n!=s: open(f,'w').write(n)
for (app,topic),mods in exports.items():
    d=f'apps/{app}/src/operations'; os.makedirs(d,exist_ok=True)
    seen=collections.Counter(n for names in mods.values() for n in names)
    dup=[n for n,c in seen.items() if c>1]
    if dup: print('DUPLICATE',app,topic,dup)
    out=f"// What the command line may do with {about[(app,topic)]}.\n"
    for mod in sorted(mods):
        names=mods[mod]
        out+="export { "+', '.join(('type ' if names[n] else '')+n for n in sorted(names))+f" }} from '#{app}/{mod}.ts'\n"
    open(f'{d}/{topic}.ts','w').write(out)
for app in topics:
    p=f'apps/{app}/package.json'; d=json.load(open(p))
    e={k:v for k,v in d['exports'].items() if k=='./src/*' or (app,k[2:]) not in closing}
    for t,_ in topics[app]:
        if (app,t) in exports: e[f'./operations/{t}']=f'./src/operations/{t}.ts'
    d['exports']=dict(sorted(((k,v) for k,v in e.items() if k!='./src/*')))
    d['exports']['./src/*']={'inside':'./src/*'}
    json.dump(d,open(p,'w'),indent=2,ensure_ascii=False); open(p,'a').write('\n')
    print(app,list(d['exports']))

use super::*;

/// Fakes are joined from parts here, so that this file itself holds none.
fn joined(parts: &[&str]) -> String {
    parts.concat()
}

/// Letters and digits in no particular order, `n` of them.
fn noise(n: usize) -> String {
    "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ".chars().cycle().take(n).collect()
}

/// Tokens that give themselves away, and what they are.
fn tokens() -> Vec<(String, &'static str)> {
    let long = noise(40);
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut fakes = vec![
        (joined(&["sk", "-", &noise(48)]), "API key"),
        (joined(&["sk", "-", &noise(20)]), "API key"),
        (joined(&["sk", "-", "abcdefghijklmnopqrstuvwxyz", "123456"]), "API key"),
        (joined(&["sk", "-proj-", &noise(30), "_", &noise(12)]), "API key"),
        (joined(&["sk", "-proj-", "abc123def456ghi789"]), "API key"),
        (joined(&["sk", "-ant-", "api03-", &noise(60), "-AA"]), "API key"),
        (joined(&["sk", "-ant-", "oat01-", &noise(24)]), "API key"),
        (joined(&["github", "_pat_", &noise(22), "_", &noise(59)]), "GitHub token"),
        (joined(&["xo", "xb-", "123456789012-", &noise(24)]), "Slack token"),
        (joined(&["xo", "xp-", "123456789012-123456789012-", &noise(24)]), "Slack token"),
        (joined(&["xo", "xs-", "1234567890-", &noise(10)]), "Slack token"),
        (joined(&["wh", "sec_", &noise(32)]), "webhook secret"),
        (joined(&["npm", "_", &noise(36)]), "npm token"),
        (joined(&["AK", "IA", "IOSFODNN7", "EXAMPLQ"]), "AWS key id"),
        (joined(&["AK", "IA", &upper[..16]]), "AWS key id"),
        (joined(&["AS", "IA", "Y34FZKBOKMUTVV7A"]), "AWS key id"),
        (joined(&["AI", "za", "SyD-9tSrke72PouQMnMX-", "a7eZSW0jkFMBWY"]), "Google API key"),
        (joined(&["gl", "pat-", &noise(20)]), "GitLab token"),
        (joined(&["gl", "pat-", "x_Y-", &noise(16)]), "GitLab token"),
        (joined(&["h", "f_", &noise(34)]), "Hugging Face token"),
        (joined(&["py", "pi-", "AgEIcHlwaS5vcmc", &long]), "PyPI token"),
        (joined(&["py", "pi-", &noise(40)]), "PyPI token"),
        (joined(&["ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0In0.", &long]), "JSON web token"),
    ];
    for kind in ["p", "o", "s", "u", "r"] {
        fakes.push((joined(&["gh", kind, "_", &noise(36)]), "GitHub token"));
    }
    for (who, mode) in
        [("sk", "live"), ("pk", "live"), ("rk", "live"), ("sk", "test"), ("pk", "test"), ("rk", "test")]
    {
        fakes.push((joined(&[who, "_", mode, "_", &noise(24)]), "Stripe key"));
    }
    fakes
}

/// Whole lines with a labelled value, and what it is.
fn labelled() -> Vec<(String, &'static str)> {
    let value = noise(24);
    let slashed = joined(&["wJalrXUtnFEMI", "/K7MDENG/", "bPxRfiCYzKEY9"]);
    let line = |label: &str, sign: &str, value: &str| [label, sign, value].concat();
    let quoted = |label: &str, value: &str| format!("\"{label}\": \"{value}\",");
    vec![
        (line("api", "_key = ", &value), "API key"),
        (line("API", "_KEY=", &value), "API key"),
        (line("export OPENAI_API", "_KEY=", &value), "API key"),
        (line("apiKey", ": ", &value), "API key"),
        (quoted("apiKey", &value), "API key"),
        (quoted("api_key", &value), "API key"),
        (line("api-key", ": ", &value), "API key"),
        (line("?format=json&api_key", "=", &format!("{value}&page=2")), "API key"),
        (line("secret", "_key: ", &value), "secret key"),
        (line("DJANGO_SECRET", "_KEY = '", &format!("{value}'")), "secret key"),
        (quoted("secretKey", &value), "secret key"),
        (line("access", "_token=", &value), "access token"),
        (quoted("access_token", &value), "access token"),
        (line("accessToken", " = \"", &format!("{value}\"")), "access token"),
        (line("password", "=", "hunter2hunter2"), "password"),
        (line("password", ": ", "hunter2!"), "password"),
        (line("- **password**", ": ", "hunter2!"), "password"),
        (line("- password: `", "", "tr0ub4dor&3`"), "password"),
        (quoted("password", "correcthorsebattery"), "password"),
        (quoted("password", "hunter22"), "password"),
        (quoted("db_password", "S3cure-enough"), "password"),
        (line("DB_PASSWORD", "=", "swordfish"), "password"),
        (line("dbPassword", " = '", "Gr8-value'"), "password"),
        (line("passwd", "=", "p4ssw0rd"), "password"),
        (line("passwd", ": ", "Zx9!Zx9!"), "password"),
        (line("pwd", "=", "Zx9!Zx9!"), "password"),
        (line("Server=db;Uid=app;Pwd", "=", "s3cr3tvalue;"), "password"),
        (line("aws_secret_access", "_key = ", &slashed), "AWS secret key"),
        (line("AWS_SECRET_ACCESS", "_KEY=", &slashed), "AWS secret key"),
        (quoted("SecretAccessKey", &slashed), "AWS secret key"),
        (line("aws_session", "_token = ", &format!("{slashed}{value}==")), "AWS session token"),
        (quoted("SessionToken", &format!("{slashed}{value}==")), "session token"),
        (line("x-amz-security", "-token: ", &format!("{value}{slashed}")), "AWS session token"),
        (quoted("X-Amz-Security-Token", &value), "AWS session token"),
        (line("password", " => \"", "hunter2x\","), "password"),
        (line("password", " := \"", "hunter2x\""), "password"),
        (line("\\\"password\\\"", ": \\\"", "hunter2x\\\""), "password"),
    ]
}

/// Whole texts whose secret stands in a cell, below its label, on a command line or in an address: the line it stands
/// on, and what it is.
fn laid_out() -> Vec<(String, usize, &'static str)> {
    let value = noise(24);
    let (word, strong) = (joined(&["hunt", "er2!"]), joined(&["S3cure", "-enough"]));
    let uuid = joined(&["3f0c8a52-7d1e", "-4b7a-9c55-0d8f2f1b6a11"]);
    let table = |head: &str, row: &str| format!("{head}\n|---|:--|\n{row}\n");
    vec![
        (format!("| password | {word} |"), 1, "password"),
        (format!("| **DB password** | `{strong}` | yes |"), 1, "password"),
        (format!("> | API key | {value} |"), 1, "API key"),
        (table("| user | password |", &format!("| bob | {word} |")), 3, "password"),
        (table("| Access token | for |", &format!("| `{value}` | deploy |")), 3, "access token"),
        (format!("https://alice:{word}@git.example.org/api.git"), 1, "password in an address"),
        (format!("DATABASE_URL=postgres://app:{}@localhost/app", "swordfish"), 1, "password in an address"),
        (format!("redis://:{value}@cache:6379/0"), 1, "password in an address"),
        (format!("amqp://guest:{}@mq", "guest"), 1, "password in an address"),
        (format!("see <https://bob:{word}@example.org/x?y=z>"), 1, "password in an address"),
        (format!("https://example.org/reset?token={value}"), 1, "token in an address"),
        (format!("https://example.org/a?x=1&amp;sig={value}&y=2"), 1, "token in an address"),
        (format!("https://example.org/a?key={value}"), 1, "token in an address"),
        (format!("https://example.org/hook?secret={uuid}"), 1, "token in an address"),
        (format!("https://example.org/a?access_token={value}&b=1"), 1, "access token"),
        (format!("password:\n{word}\n"), 2, "password"),
        (format!("password: |\n  {word}\nuser: bob\n"), 2, "password"),
        (format!("- **Password**:\n  - `{word}`\n"), 2, "password"),
        (format!("### API key\n\n```\n{value}\n```\n"), 4, "API key"),
        (format!("\"password\":\n  \"{word}\",\n"), 2, "password"),
        (format!("DB_PASSWORD=\n{strong}\n"), 2, "password"),
        (format!("tool login --user bob --password {word}"), 1, "password"),
        (format!("tool login --password '{word}' --user bob"), 1, "password"),
        (format!("tool --db-password={strong} migrate"), 1, "password"),
        (format!("run `deploy --token {value}` again"), 1, "token"),
        (format!("deploy --token={uuid}"), 1, "token"),
        (format!("deploy --api-key {value}"), 1, "API key"),
        (format!("deploy --secret \"{strong}\""), 1, "secret"),
        (format!("Authorization: Bearer {value}"), 1, "bearer token"),
        (format!("curl -H 'authorization: bearer {value}' x"), 1, "bearer token"),
        (format!("{{user: bob, password: {strong}, host: db}}"), 1, "password"),
        (format!("PGPASSWORD={word} psql"), 1, "password"),
        (format!("client_secret: {value}"), 1, "client secret"),
        (format!("Password (staging): {word}"), 1, "password"),
        (format!("password：{word}"), 1, "password"),
        (format!("<password>{word}</password>"), 1, "password"),
        (format!("the password is `{word}`."), 1, "password"),
        (format!("login: bob, password {word}"), 1, "password"),
        (format!("changed the password to {word} today"), 1, "password"),
        (format!("aws configure set aws_secret_access_key {value}"), 1, "AWS secret key"),
        (joined(&["Authorization: Basic ", "Ym9iOmh1bnRlcjIh"]), 1, "basic credentials"),
        (format!("curl -u bob:{word} https://example.org"), 1, "password"),
        (format!("curl --user 'bob:{}' x", "swordfish"), 1, "password"),
    ]
}

#[test]
fn a_secret_that_stands_apart_from_its_label_is_found_as_well() {
    for (text, line, kind) in laid_out() {
        assert_eq!(find(&text), [Finding { line, kind }], "in {text:?}");
        let lost = redact(&text);
        assert!(lost.contains(&format!("[redacted: {kind}]")), "it is blacked out: {lost}");
        let value = &text[text.find("hunt").unwrap_or(0)..];
        assert!(!value.starts_with("hunter2") || !lost.contains("hunter2"), "nothing of it is left: {lost}");
    }
}

/// Texts of several lines that hold none.
const LAID_OUT_INNOCENT: &[&str] = &[
    "| field | password |\n|---|---|\n| type | string |\n| min length | 12 characters |\n",
    "| password | required |\n| api_key | see vault.md#keys-v2 |\n| access_token | 2026-07-30 |\n",
    "| reset password | done |\n| forgot password | v2.1-beta |\n| password policy | argon2id |\n",
    "| step | access token |\n|---|---|\n| rotate | done in 3f0c8a5 |\n| check | src/auth/token2.rs |\n",
    "password:\n  type: string\n  min: 12\n",
    "password:\n- reset-flow-v2\n- src/auth/password2.rs\n",
    "## Password\n\nIt is asked for at the prompt.\n",
    "### API key\n\n- [x] page2\n- done\n",
    "### Access token\n2026-07-30\n",
    "The password:\n\n1. is asked for\n2. is hashed\n",
    "password:\n  $DB_PASSWORD\n",
    "password: |\n  ${{ secrets.DB_PASSWORD }}\n",
    "API key:\n\n```\nexport API_KEY=$KEY\n```\n",
    "api_key:\n  valueFrom:\n    secretKeyRef:\n      key: api-key-2\n",
];

#[test]
fn a_layout_alone_is_no_secret() {
    for text in LAID_OUT_INNOCENT {
        assert_eq!(find(text), [], "no secret stands in {text:?}");
    }
}

#[test]
fn a_hostile_line_costs_no_more_than_its_length() {
    // Each of these had another search begin at every few bytes, to the end of the line, if nothing bounded it.
    let parts = [
        "?token",
        "token-",
        "--token ",
        "://a:",
        "| password ",
        "password:\n",
        "Bearer ",
        "&amp;",
        "password=",
        "--token=",
        "password (",
        "password>",
        "?token=x",
        "?token=x&",
        "password \"",
        "Basic ",
        "curl -u ",
        "password is ",
    ];
    const SLACK: std::time::Duration = std::time::Duration::from_millis(300);
    // The shortest of a few: other processes can only make it longer.
    let shortest = |text: &str| {
        let time = || {
            let begun = std::time::Instant::now();
            let _ = find(text);
            begun.elapsed()
        };
        (0..3).map(|_| time()).min().expect("there are three")
    };
    for part in parts {
        let text = part.repeat((32 << 10) / part.len());
        let (quarter, whole) = (shortest(&text[..text.len() / 4]), shortest(&text));
        assert!(
            whole < quarter * 9 + SLACK,
            "{part:?}: four times the length took {quarter:?}, then {whole:?}"
        );
    }
}

#[test]
fn every_fake_is_found_and_named_without_its_value() {
    let mut caught = 0;
    for (token, kind) in tokens() {
        for text in [
            token.clone(),
            format!("use `{token}`, then go"),
            format!("KEY={token}\n"),
            format!("\"{token}\""),
        ] {
            let found = find(&text);
            assert_eq!(found.first().map(|f| f.kind), Some(kind), "a {kind} in {:?}", text.len());
            assert!(!redact(&text).contains(&token), "a {kind} is blacked out");
        }
        caught += 1;
    }
    for (line, kind) in labelled() {
        let found: Vec<&str> = find(&line).iter().map(|finding| finding.kind).collect();
        assert_eq!(found, [kind], "the value of {:?}…", &line[..12.min(line.len())]);
        caught += 1;
    }
    assert!(caught >= 60, "the table is worth its name: {caught}");
}

#[test]
fn what_nobody_sees_hides_no_secret() {
    let fakes = || tokens().into_iter().chain(labelled());
    for unseen in ["\u{200B}", "\u{AD}", "\u{200D}", "\u{202E}", "\u{FEFF}"] {
        for (fake, kind) in fakes() {
            // Within the mark that tells a token, and within the name that tells a value.
            let mid = (1..=3).rev().find(|&at| fake.is_char_boundary(at)).unwrap();
            let hidden = [&fake[..mid], unseen, &fake[mid..]].concat();
            assert_eq!(find(&hidden).first().map(|found| found.kind), Some(kind), "{hidden:?} is found");
        }
        for (fake, _) in tokens() {
            let told = redact(&[&fake[..3], unseen, &fake[3..]].concat());
            assert!(!told.contains(&fake[fake.len() - 6..]), "and nothing of it is left: {told:?}");
        }
    }
    for (fake, kind) in fakes().filter(|(fake, _)| fake.contains('_') && !fake.contains('"')) {
        let escaped = fake.replace('_', "\\_");
        assert_eq!(find(&escaped).first().map(|found| found.kind), Some(kind), "{escaped:?} is found");
    }
    let plain = "Wait\u{200B} for `a\\_b` of\r\nthe pass\u{AD}word page\n";
    assert_eq!(find(plain), [], "the control: such characters alone are no secret");
    assert_eq!(redact(plain), plain, "and stay where they are");
}

#[test]
fn a_private_key_goes_whole() {
    for label in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let (begin, end) =
            (["-----BEGIN ", label, "PRIV", "ATE KEY-----"], ["-----END ", label, "PRIV", "ATE KEY-----"]);
        let text = format!("before\n{}\nMIIEvQ\nabc\n{}\nafter\n", begin.concat(), end.concat());
        assert_eq!(
            find(&text),
            [Finding { line: 2, kind: "private key" }],
            "{label}key is named with its line"
        );
        assert_eq!(redact(&text), "before\n[redacted: private key]\nafter\n", "and nothing of it is left");
        let cut = format!("before\n{}\nMIIEvQ\nabc\n", begin.concat());
        assert_eq!(redact(&cut), "before\n[redacted: private key]", "also where its end was cut off");
    }
    let public = "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n";
    assert_eq!(redact(public), public, "a public key is no secret");
}

#[test]
fn lines_are_counted_and_the_rest_of_the_text_stays() {
    let secret = joined(&["gh", "p_", &noise(36)]);
    let text = format!("één\nzwei {secret} drei\nvier\nzwei {secret}");
    let lines: Vec<usize> = find(&text).iter().map(|finding| finding.line).collect();
    assert_eq!(lines, [2, 4], "each on its own line");
    let gone = "één\nzwei [redacted: GitHub token] drei\nvier\nzwei [redacted: GitHub token]";
    assert_eq!(redact(&text), gone, "and nothing else is touched");
}

/// Lines that people and programs write and that hold no secret.
const INNOCENT: &str = r#"
password: required
password: string
password: String,
"password": "required"
"password": "string"
password: the user types it at the prompt
Password: see the vault
password = os.environ["DB_PASSWORD"]
password = os.getenv("PASSWORD")
password=${DB_PASSWORD}
password=$DB_PASSWORD
password: $PASSWORD
password: ${{ secrets.DEPLOY_PASSWORD }}
password: {{ vault_password }}
password: <redacted>
password: <your password here>
password: ********
password: xxxxxxxx
password: ...
password=None
password = null
password: nil
password: true
password: false
password: !secret db_password
password: changeme
password = getpass.getpass()
password = prompt("Password: ")
password: settings.password
password=settings.DB_PASSWORD,
password := cfg.Database.Password
self.password = password
this.password = this.form.password
let password = read_password()?;
if password == expected {
password != confirmation
def login(user, password):
fn verify(password: &str) -> bool {
password: &str,
password: Option<String>,
password: z.string().min(8)
password_hash: $2b$12$abcdefghijklmnopqrstuv
password_field = "password"
password_length: 12
passwords: never logged
reset password: done
forgot password: link sent to the user
the password: it must be rotated before the release
change password: /account/password
pwd: /home/me/project
PWD=/home/me/project
pwd=~/work
OLDPWD=/tmp/build
pwd: .
echo $PWD
cd "$(pwd)"
passwd: files systemd
/etc/passwd: permission denied
/etc/passwd:12:bad entry
passwd: password updated successfully
api_key = os.environ["OPENAI_API_KEY"]
api_key=api_key
api_key=self.api_key,
api_key: process.env.API_KEY
apiKey: config.apiKey,
apiKey: process.env.OPENAI_API_KEY!
api_key: YOUR_API_KEY
api_key: your-api-key-here
api_key=<API_KEY>
api_key = ""
api_key: ""
"api_key": ""
"api_key": null
"api_key": "YOUR_KEY_HERE"
"api_key": "example-key-1234"
API key: stored in the keychain
API key: rotated, see the runbook
API keys: none in the repository
The API key: who owns it? Ask before the release
api_key: optional
api_key: Optional[str] = None
api-key: required for the second route only
api_key_header: X-Api-Key
x-api-key: $API_KEY
access_token: expires in an hour
access_token: oauth.refresh()
access_token = response["access_token"]
access_token=token
accessToken: session?.accessToken
accessToken: string;
"access_token": "string"
access token: moved to the keyring
secret_key: settings.SECRET_KEY
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY=$(openssl rand -hex 32)
secret key: not recorded
secret_key: placeholder
aws_secret_access_key = ${AWS_SECRET_ACCESS_KEY}
AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}
aws_session_token: not used
session token: dropped on logout
x-amz-security-token: signed by the SDK, never logged
token: 12345
tokens: 4096 of 200000
max_tokens: 8192
token budget: 40 % used
task-12345678901234567890 is done
disk-0123456789abcdef0123 was replaced
risk-assessment-of-the-new-pipeline-2026
sk-learn pipelines
sk-learn-contrib-packages-for-2026
sk-...
sk-xxxxxxxxxxxxxxxxxxxxxxxx
sk-ant-...
sk-ant-xxxxxxxxxxxxxxxxxxxx
sk-proj-xxxxxxxxxxxxxxxxxxxx
sk-proj- is the new prefix
sk-<your key>
ghp_ tokens are refused by the scan
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
gho_ and ghs_ too
github_pat_ is longer
github_pat_xxxxxxxxxxxxxxxxxxxxxx
xoxb- is a bot token's beginning
xoxb-your-token-here
sk_live_ keys stay in the vault
pk_test_mode is on
rk_test_environment
sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
whsec_ is the prefix of webhook secrets
whsec_placeholder
npm_config_registry=https://registry.example
npm_lifecycle_event is set
npm_package_json
NPM_TOKEN is a repository secret
AKIA is how they begin
AKIAXXXX
ASIAPACIFICREGIONALX
ASIA and EUROPE
AIza is Google's prefix
glpat- is GitLab's
glpat-xxxxxxxxxxxxxxxxxxxx
hf_hub_download(repo_id=name)
hf_transfer is installed
pypi-publish is the name of the job
pypi-publish-workflow-release-candidate
pypi-attestations 0.0.20
eyJ is how a header begins
eyJhbGciOi.
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
-----BEGIN PGP SIGNATURE-----
head: 9c41d07e5ab2f6183d07e49ab1c5f2860d9e73b4
head: 71904e2385061947720513864209573186420957
sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
commit 7aa25d27 fixes the crash
session_id: c5607732-1c3f-4d26-9a6e-0c9b0a6f2f11
"sessionId": "c5607732-1c3f-4d26-9a6e-0c9b0a6f2f11"
hermes 20260730_114502_a1b2c3
ses_0123456789abABCDEFGHIJKLMN
branch: feature/password-reset
branch: feat/api-key-rotation
src/auth/password.rs: 12 lines changed
src/access_token.rs: add a test
tests/test_api_key.py::test_rotation passed
- [ ] password reset mail
- [x] api key page
## Passwords
| password | string | yes |
| api_key | text | no |
Decided: passwords are hashed with argon2id, never logged
next: rotate the access token, then deploy
The secret is to keep it simple
secret: none
secrets: []
auth: bearer
Authorization: Bearer $TOKEN
basic auth: user and password from the vault
https://example.org/reset?token=$TOKEN
https://example.org/login?next=/password/change
git@github.com:example/api-key-store.git
postgres://localhost/app
DATABASE_URL=postgres://app@localhost/app
redis://cache:6379/0
model: claude-opus-4-8
model_id: gpt-5.5-codex
version: 2.1.332
uuid 0199aaaa-0000-7000-8000-000000000001
checksum 0x5f3759df
date: 2026-07-30T11:45:02Z
port: 8080
ratio: 0.75
key: value
key: F5 reruns the tests
primary key: id
foreign key: order_id
public_key: ssh-ed25519
key_id: 12
license key: none needed
keyboard: qwertz
author: somebody <someone@example.org>
host: db.internal.example
user: app
username: deploy
login: octocat
pin: 4 digits, typed by the person
otp: from the phone
cookie: session
csrf: same-site
passphrase: asked for by the agent
Paßwort: steht im Tresor
비밀번호: 금고 안에
密码: 见保险库
пароль: в сейфе
mot de passe: dans le coffre
parola: kasada
grep -rn password src
curl -u "$USER" https://example.org
docker login -u app --password-stdin
ssh-keygen -t ed25519
openssl rand -hex 32
export EDITOR=vim
PATH=/usr/local/bin:/usr/bin:/bin
LD_LIBRARY_PATH=/opt/lib
GIT_AUTHOR_NAME=Somebody
cargo test --lib password
npm run test:access-token
make secrets-check
TODO: the API key page needs a test
FIXME: password field loses focus
| token | bearer | yes |
| Password | asked for at login |
https://user@example.org/x
https://user:$PASSWORD@example.org/x
https://user:${PASS}@example.org/x
https://user:<password>@example.org/x
https://user:***@example.org/x
https://USER:PASSWORD@HOST/x
https://user:password@example.org/x
http://localhost:8080/@scope/pkg?next=a@b
ssh://git@example.org:22/a.git
see https://example.org:8443/a:b@c
https://example.org/?page_token=CAUQAA&limit=5
https://example.org/?token=<token>&key=F5
https://example.org/?key=name&sig=none
deploy --token $TOKEN --password-stdin
deploy --token "$(cat token)"
deploy --password <password>
deploy --secret=projects/app/secrets/db
pass it with --password and --token instead
the --password option is deprecated
the --token flag takes a file name
--secret-file ./secret.txt
--api-key-header X-Api-Key
Authorization: Bearer <token>
Authorization: Bearer eyJ...
Bearer authentication-is-described-elsewhere
passphrase: typed by hand
client_secret: ${CLIENT_SECRET}
refresh_token: stored in the keychain
auth_token = load_token()
hash the password with Argon2id-v19
the password is Argon2id-hashed, see ADR-12
the password is sent to user@example.org
password reset?token=... goes out by mail
password (12 characters at least): see the policy
Password (staging): in the vault
<password>secret</password>
<password></password>
<label>password</label>
the API key was rotated on 2026-07-30
the access token to use is the one of 2026-07-30
move the secret key to vault.py@main
Basic authentication is off
Basic HTTP auth
curl -u "$USER:$PASS" https://example.org
curl -u bob https://example.org
curl --user <user>:<password> https://example.org
aws configure set aws_secret_access_key "$SECRET"
API key 9c41d07e5ab2f6183d07e49ab1c5f2860d9e73b4 is the commit
"#;

#[test]
fn innocent_lines_are_let_through() {
    let lines: Vec<&str> = INNOCENT.lines().filter(|line| !line.is_empty()).collect();
    assert!(lines.len() >= 200, "the table is worth its name: {}", lines.len());
    let caught: Vec<(&str, Vec<Finding>)> =
        lines.iter().map(|line| (*line, find(line))).filter(|(_, found)| !found.is_empty()).collect();
    assert!(caught.is_empty(), "no secret stands in these: {caught:#?}");
    assert_eq!(redact(INNOCENT), INNOCENT, "and they are not touched");
}

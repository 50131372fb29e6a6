#!/bin/sh
# gnomon-push(1), as a server that only records sees it, and what docs/continuous.md does with it.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
B=$(realpath "${B:-build}")
push=$PWD/tools/gnomon-push doc=$PWD/docs/continuous.md proto=$PWD/tools/export
work=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
PATH=$B:${push%/*}:$PATH
GNOMON_BUILD=$work
export GNOMON_BUILD
cd "$work" || exit 1

# The server keeps each request, and its body, and answers as it is told in the file answer.
cat >serve <<'EOF'
#!/bin/sh
: >request
while IFS= read -r line; do
	line=$(printf %s "$line" | tr -d '\r')
	[ -n "$line" ] || break
	echo "$line" >>request
done
head -c "$(sed -n 's/^Content-Length: //p' request)" >body
printf 'HTTP/1.1 %s\r\nContent-Length: 3\r\nConnection: close\r\n\r\nso\n' "$(cat answer)"
EOF
chmod +x serve
echo '200 OK' >answer
socat -d -d TCP-LISTEN:0,bind=127.0.0.1,fork,reuseaddr EXEC:./serve 2>socat.log &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	port=$(sed -n 's/.*listening on .*127.0.0.1:\([0-9]*\).*/\1/p' socat.log)
	[ -z "$port" ] || break
	sleep 0.1
done
url=http://127.0.0.1:$port

id=$(readelf -n "$B/gnomon.elf" | sed -n 's/.*Build ID: //p')
cp "$B/gnomon.elf" .
at=$(nm gnomon.elf | sed -n 's/ T user_copy$//p')
cat >kpstack <<END
# kpstack version=1 build=$id
# clock=lapic delivery=nmi hz=1000 period_us=1000 cpus=1 elapsed_us=2500000 ticks=30 lost=0
cp;[kernel];0x00400031;0x$at 30
# period_us=1000 ticks=30 overflow=0 depth=64
END
echo "gnomon 9.8 $id" >version
touch -d @1700000000 kpstack

# labels: those that were received, in the order of their names. What was sent is JSON.
labels() {
	node -e 'const s = JSON.parse(require("fs").readFileSync("body")).series[0];
		console.log((s.labels.labels || s.labels).map(l => l.name + "=" + l.value).sort().join("\n"))'
}

# profile FIELD...: numbers of the profile that was received, which is whole; and its functions
profile() {
	node -e 'const s = JSON.parse(require("fs").readFileSync("body")).series[0].samples;
		process.stdout.write(Buffer.from(s[0].rawProfile, "base64"))' | gzip -dc >profile
	protoc --proto_path="$proto" --decode=perftools.profiles.Profile "$proto/pprof.proto" \
		<profile >profile.txt || echo 'it is no profile'
	for field; do
		sed -n "s/^$field: //p" profile.txt
	done
	grep -o user_copy profile.txt | head -n 1
}

out=$("$push" pyroscope "$url/" kpstack region=eu 'note=a "b" \c' 2>&1)
is "$? $out" '0 ' 'it sends to Pyroscope'
is "$(head -n 1 request)" 'POST /push.v1.PusherService/Push HTTP/1.1' 'by its path'
has "$(cat request)" 'Content-Type: application/json' 'as JSON'
is "$(labels)" "$(printf '%s\n' __name__=process_cpu "build_id=$id" 'kernel=gnomon 9.8' \
	"machine=$(uname -n)" 'note=a "b" \c' region=eu service_name=gnomon)" 'with the labels'
is "$(profile time_nanos duration_nanos)" "$(printf '%s\n' 1699999997500000000 2500000000 user_copy)" \
	'a profile that says when it was taken, and how long'
is "$(grep -c '"ID":"[0-9a-f]\{8\}-' body)" 1 'and has a number of its own'

"$push" parca "$url" kpstack machine=vm3 service_name=farm 2>said
ok $? 'it sends to Parca' "$(cat said)"
is "$(head -n 1 request)" 'POST /profiles/writeraw HTTP/1.1' 'by its path'
is "$(labels)" "$(printf '%s\n' __name__=process_cpu "build_id=$id" 'kernel=gnomon 9.8' \
	machine=vm3 service_name=farm)" 'what the user says of a label counts'
is "$(profile time_nanos duration_nanos)" "$(printf '%s\n' 1699999997500000000 2500000000 user_copy)" \
	'the same profile'
has "$(cat body)" '"normalized":true' 'whose addresses are those of the files'

rm version
sed -i 's/ elapsed_us=[0-9]*//' kpstack
printf 'build=%s\nprofiler=any elapsed_us=7000 ticks=30\n' "$id" >kpstack.run
touch -d @1700000000 kpstack
"$push" parca "$url" kpstack
is "$(profile duration_nanos; labels | grep kernel)" "$(printf '%s\n' 7000000 user_copy)" \
	'what gnomon run has left beside it is read; what is not known is not said'

cat >kpwait <<END
# kpwait version=1 build=$id
cp;[pipe];0x00401234;0x$at 1500
# unit=us waits=3 overflow=0 depth=64
END
"$push" parca "$url" kpwait
is "$(profile; labels | grep __name__)" "$(printf '%s\n' user_copy __name__=waits)" \
	'where processes wait is a kind of profile of its own'

# OpenTelemetry's server answers with a message, which is empty unless it refuses something.
cp serve serve.old
# What is quoted is for the copy.
# shellcheck disable=SC2016
sed 's/Content-Length: 3/Content-Length: %s/; s/so\\n/%b/; s/"$(cat answer)"/"$(cat answer)" "$(cat length)" "$(cat message)"/' serve.old >serve
printf 0 >length
: >message
out=$("$push" otlp "$url/" kpwait service.name=farm 'note=a,b 50%' 2>&1)
is "$? $out" '0 ' 'L4: it sends to OpenTelemetry'
is "$(head -n 1 request)" 'POST /v1development/profiles HTTP/1.1' 'L4: by its path'
has "$(cat request)" 'Content-Type: application/x-protobuf' 'L4: as protocol buffers'
received() { protoc --proto_path="$proto" --decode=otlp.ProfilesData "$proto/otlp.proto" <body; }
is "$(received | awk '/^    attributes/ { getline; k = $2; getline; getline; sub(/.*: /, ""); print k "=" $0 }' | tr -d '"' | sort)" \
	"$(printf '%s\n' "gnomon.build_id=$id" "host.name=$(uname -n)" 'note=a,b 50%' service.name=farm)" 'L4: with the labels'
is "$(received | sed -n 's/^ *values: //p' | xargs)" 1500000 'L4: the values of export'
received >profile.txt
has "$(cat profile.txt)" user_copy 'L4: with the functions'
rm kpstack.run
sed -i "s/ cpus=1/& elapsed_us=2500000/" kpstack
touch -d @1700000000 kpstack
"$push" otlp "$url" kpstack
is "$(received | sed -n 's/^ *values: //p' | xargs)" '30 30000000' 'L4: ticks, and their time'
is "$(received | sed -n 's/^ *\(time_unix_nano\|duration_nano\): //p' | sort -u | xargs)" \
	'1699999997500000000 2500000000' 'L4: when it was taken'
printf 9 >length
printf '%s' '\012\007\010\002\022\003bad' >message
out=$("$push" otlp "$url" kpstack 2>&1)
is "$? $out" "1 gnomon-push: $url has refused a part: bad" 'L4: what the server refuses is said'
cp serve.old serve

echo '400 Bad Request' >answer
out=$("$push" parca "$url" kpstack 2>&1)
is "$?" 1 'a server that refuses it: 1'
has "$out" 400 'it is said'
has "$out" so 'with what the server said'
sed 's/Content-Length: 3/Content-Length: 8/; s/so\\n/\\033]0;no\\007\\n/' serve.old >serve
out=$("$push" parca "$url" kpstack 2>&1)
is "$?" 1 'one that says what a terminal obeys: 1'
is "$(printf %s "$out" | grep no | tr -d '\012\040-\176'; printf %s "$out" | grep -c ']0;no')" 1 'H14: it is not obeyed'
sed 's/Content-Length: 3/Content-Length: 100000/; s/so\\n//; $a yes | head -c 100000' serve.old >serve
out=$("$push" parca "$url" kpstack 2>&1)
is "$?:$((${#out} > 60000)):$((${#out} > 66000))" 1:1:0 'H14: of what it says there is a limit'
cp serve.old serve
out=$("$push" parca "http://127.0.0.1:1" kpstack 2>&1)
is "$?" 1 'no server: 1'
has "$out" '127.0.0.1' 'it is named'
out=$("$push" parca "$url" none 2>&1)
is "$? $out" "1 gnomon export: none: No such file or directory" 'no profile: 1'
is "$("$push" --version)" "$(gnomon --version)" '--version is that of gnomon'
is "$("$push" --help)" 'usage: gnomon-push pyroscope|parca|otlp URL FILE [LABEL=VALUE...]' '--help'
for wrong in 'parca' "loki $url kpstack" "parca $url kpstack 1=2" "parca $url kpstack a="; do
	# The words are arguments.
	# shellcheck disable=SC2086
	"$push" $wrong >out 2>said
	is "$? $(cat out)" '2 ' "$wrong: 2"
done
has "$(cat said)" 'a=: LABEL=VALUE expected' 'what is wrong is named'

# block HEADING: what is to be typed there, in docs/continuous.md
block() { awk -v h="## $1" '/^## / { on = $0 == h } on && sub(/^    /, "")' "$doc"; }

echo '200 OK' >answer
block 'In the guest' | sed 's/--icount off //; s/sleep 10/sleep 1/; s/seq 1 8640/seq 1 2/
	s/workload 100/workload 1/' >commands
GNOMON_BUILD=$B sh ./commands >said 2>&1
is "$(ls farm/vm3)" "$(printf '%s\n' kpstack.1 kpstack.2 version)" 'the guest leaves its profiles'
block 'On the host' | sed "s|http://127.0.0.1:4040|$url|; s/while sleep 5; do/for round in 1; do/" >commands
GNOMON_BUILD=$B sh ./commands >said 2>&1
is "$(ls farm/vm3; cat said)" version 'and the host sends them'
is "$(labels)" "$(printf '%s\n' __name__=process_cpu "build_id=$id" \
	"kernel=$(cut -d ' ' -f 1,2 farm/vm3/version)" machine=vm3 service_name=gnomon)" \
	'as those of the machine'
profile >said
has "$(cat said profile.txt)" cpu_idle 'of which the server gets to know the functions'

finish
